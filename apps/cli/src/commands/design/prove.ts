import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { connect } from '../../session/connect.ts'

/** `design prove`: what is wrong with the flows of the school now. Exit code 7 where anything is. */
export async function proveFlows(line: CommandLine): Promise<void> {
  const { output, locale, signal } = line
  const flows = await connect(line).api.design.proveFlows({ signal })
  if (output.json) output.rows(flows, () => ({ heads: [], cells: [] }))
  else
    for (const { tag, name, findings } of flows)
      for (const { severity, path, msg } of findings)
        output.talk(`${tag} ${name}: ${severity} ${path}: ${msg}`)
  if (flows.some(({ findings }) => findings.length > 0))
    throw new CommandError(exitCodes.checksFailed, '')
  output.talk(t(locale, 'cli.design.proven', { n: flows.length }))
}
