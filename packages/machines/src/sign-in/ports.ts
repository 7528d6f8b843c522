import { createPortActors, type ActorsOf, type Port } from '../port.ts'
import type { SessionFacts } from '../session/ports.ts'

export interface StudentSignInPorts {
  /**
   * The call `student.signIn`, its answer in the form the session stores: with the token's expiry
   * by the surface's clock. `ticket`: of a captcha, '' without one.
   */
  readonly signIn: Port<
    { readonly mobile: string; readonly code: string; readonly ticket: string },
    SessionFacts
  >
}
export function signInActors(ports: StudentSignInPorts): ActorsOf<StudentSignInPorts> {
  return createPortActors(ports, ['signIn'])
}
