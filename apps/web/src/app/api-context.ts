import type { UserInfo } from '@jiaowu/api/contract/session'
import type { FileReply } from '@jiaowu/api/endpoint'
import { createContext, useContext } from 'react'
import type { Api } from './api.ts'

/** The server, and what the person who is signed in may do there. */
export interface Services {
  readonly api: Api
  readonly user: UserInfo | null
  readonly permissions: readonly string[]
  readonly can: (code: string) => boolean
  readonly saveFile: (
    file: FileReply,
    onProgress?: (bytes: number) => void,
    signal?: AbortSignal,
  ) => Promise<void>
  /** Loads menu and permissions again after a change to them. */
  readonly reloadProfile: () => void
}

export const ApiContext = createContext<Services | null>(null)
export function useApi(): Services {
  const services = useContext(ApiContext)
  if (services === null) throw new Error('useApi outside of ApiContext')
  return services
}
