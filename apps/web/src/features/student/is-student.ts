import type { UserInfo } from '@jiaowu/api'

/** Students have pages of their own; the server refuses them everything else (docs/spec/2-student-service-and-designer.md §6). */
export function isStudent(user: UserInfo | null): boolean {
  return user?.roles.includes('ROLE_STUDENT') ?? false
}
