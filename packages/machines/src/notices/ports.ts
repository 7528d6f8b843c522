import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/**
 * A public notice (docs/spec/2-student-service-and-designer.md §3). `content` is HTML, which
 * surfaces must sanitise.
 */
export interface Notice {
  readonly id: string
  readonly title: string
  readonly issueTime: string
  readonly publisher: string
  readonly content: string
}
/**
 * The call `student.notices`: all notices, newest first
 * (docs/spec/2-student-service-and-designer.md §7).
 */
export interface NoticesPorts {
  readonly notices: Port<undefined, readonly Notice[]>
}
export function noticesActors(ports: NoticesPorts): ActorsOf<NoticesPorts> {
  return createPortActors(ports, ['notices'])
}
