import { Invalid, Refusal } from '../src/platform/refusal.ts'

/** How work was refused: its faults as `path rule`, the HTTP status, any other error, or null. */
export async function refused(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof Invalid)
    return error.faults.map(({ path, rule }) => `${path} ${rule}`).join()
  return error instanceof Refusal ? error.status : error
}
