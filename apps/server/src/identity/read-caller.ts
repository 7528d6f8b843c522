import type { Services } from '../model/context.ts'
import { isApiToken, readTokenSubject } from './api-tokens.ts'
import type { SessionSubject } from './callers.ts'
import { readSubject } from './subject.ts'

/** Reads the person of a session, or of the token by which a program calls. @throws Refusal 401 */
export function readCaller(
  services: Services,
  authorization: string | null,
): Promise<SessionSubject> {
  const bearer = /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  return bearer !== undefined && isApiToken(bearer)
    ? readTokenSubject(services, bearer)
    : readSubject(services, authorization)
}
