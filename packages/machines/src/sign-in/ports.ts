import { actorsOf, type ActorsOf, type Port } from '../port.ts'
import type { SessionFacts } from '../session/ports.ts'

export interface StudentSignInPorts {
  /**
   * The contract's `student.signIn`; the answer as the session keeps it, with the end of the token
   * by the surface's clock.
   */
  readonly signIn: Port<{ readonly mobile: string; readonly code: string }, SessionFacts>
}
export function signInActors(ports: StudentSignInPorts): ActorsOf<StudentSignInPorts> {
  return actorsOf(ports, ['signIn'])
}
