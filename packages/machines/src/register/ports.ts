import type { Registered } from '@jiaowu/api/contract/student/student'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** `idNumber`: ID card or passport (`sfzh` on the wire). `major`: its name (`zymc`). */
export interface Registration {
  readonly idNumber: string
  readonly major: string
  readonly mobile: string
  readonly code: string
}
/** The call `student.register`; `ticket`: of a captcha, '' without one. */
export interface RegisterPorts {
  readonly register: Port<Registration & { readonly ticket: string }, Registered>
}
export function registerActors(ports: RegisterPorts): ActorsOf<RegisterPorts> {
  return createPortActors(ports, ['register'])
}
