import type { UserInfo } from '@jiaowu/api'

/** Students have pages of their own; the server refuses them everything else (student spec §6). */
export const isStudent = (user: UserInfo | null): boolean =>
  user?.roles.includes('ROLE_STUDENT') ?? false
