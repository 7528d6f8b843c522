// Columns that a definition names and the other installation lacks: shown with the differences, and made before the
// definition is saved.
import { t } from '@jiaowu/api/texts/index'
import { ApiProblem } from '@jiaowu/api/problem'
import type { CommandLine } from '../../command-line.ts'
import type { connect } from '../../session/connect.ts'
import { confirmAct } from '../../terminal/confirm.ts'

type Api = ReturnType<typeof connect>['api']
type Supplied = Awaited<ReturnType<Api['design']['supplyColumns']>>

/** Null where nothing is missing, or where this account or the product cannot make it. */
export async function findMissing(
  api: Api,
  definition: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Supplied | null> {
  try {
    const found = await api.design.supplyColumns({ body: { preview: true, definition }, signal })
    return found.columns.length === 0 ? null : found
  } catch (error) {
    // The checks of the definition say what is missing.
    if (error instanceof ApiProblem && ['invalid', 'refused'].includes(error.problem.kind))
      return null
    throw error
  }
}

/** Lines as those of other differences. */
export function formatMissing(missing: Supplied | null): string[] {
  if (missing === null) return []
  return [
    ...missing.columns.map((column) => `  + ${missing.table}.${column}`),
    ...missing.words.map((text) => `  · ${text}`),
  ]
}

/** Makes the columns after a yes. @throws CommandError for a no */
export async function supplyMissing(
  line: CommandLine,
  api: Api,
  definition: Record<string, unknown>,
  isAgreed: boolean | undefined,
): Promise<void> {
  const missing = await findMissing(api, definition, line.signal)
  if (missing === null) return
  for (const text of formatMissing(missing)) line.output.talk(text)
  await confirmAct(line, t(line.locale, 'cli.table.ask'), isAgreed)
  await api.design.supplyColumns({ body: { preview: false, definition }, signal: line.signal })
}
