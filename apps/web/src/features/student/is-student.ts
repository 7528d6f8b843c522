import type { UserInfo } from '@jiaowu/api'

/** Students have pages of their own; the server refuses them everything else (student spec §6). */
export function isStudent(user: UserInfo | null): boolean {
  return user?.roles.includes('ROLE_STUDENT') ?? false
}
