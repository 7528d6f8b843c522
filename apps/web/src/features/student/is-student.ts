import type { UserInfo } from '@jiaowu/api/contract/session'

/**
 * Whether to show the student pages; the server refuses students everything else
 * (docs/spec/2-student-service-and-designer.md §6).
 */
export function isStudent(user: UserInfo | null): boolean {
  return user?.roles.includes('ROLE_STUDENT') ?? false
}
