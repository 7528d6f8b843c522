// Proposals of agents (docs/agents.md).
import type { Proposal, ProposalPreview } from '@jiaowu/api/contract/agent'
import type { WireValue } from '@jiaowu/api/entity/values'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'

/** `proposal ls`. */
export async function listProposals(line: CommandLine): Promise<void> {
  const { locale, output, signal } = line
  const records = await connect(line).api.proposals.list({ signal })
  output.rows(records, () => ({
    heads: [
      t(locale, 'cli.refund.id'),
      t(locale, 'proposal.agent'),
      t(locale, 'proposal.kind'),
      t(locale, 'token.entities'),
      t(locale, 'proposal.rows'),
      t(locale, 'proposal.state'),
      t(locale, 'token.expires'),
    ],
    cells: records.map((record: Proposal) => [
      record.id,
      record.agent,
      t(locale, `proposal.kind.${record.kind}`),
      record.entity,
      String(record.count),
      t(locale, `proposal.is.${record.state}`),
      record.expiresAt,
    ]),
  }))
}

/** `proposal show ID`. */
export async function showProposal(line: CommandLine, id: string): Promise<void> {
  const { api } = connect(line)
  const found = await api.proposals.read({ params: { id }, signal: line.signal })
  line.output.done({ ...found }, describePreview(line, found))
}

function describePreview({ locale }: CommandLine, found: ProposalPreview): string {
  const kind = t(locale, `proposal.kind.${found.kind}`)
  const state = t(locale, `proposal.is.${found.state}`)
  return [
    `${found.agent}: ${kind} ${found.entity} (${found.count}), ${state}`,
    ...(found.fault === null ? [] : [found.fault]),
    ...found.rows.flatMap((row) => [
      `  ${row.id} ${row.title}`,
      ...row.changes.map(
        ({ label, from, to }) => `    ${label}: ${formatValue(from)} -> ${formatValue(to)}`,
      ),
    ]),
  ].join('\n')
}

function formatValue(value: WireValue): string {
  if (value === null) return '-'
  return Array.isArray(value) ? value.map(({ name }) => name).join(' ') : String(value)
}

/** `proposal confirm ID`: shows the preview, asks, and confirms what was shown. */
export async function confirmProposal(
  line: CommandLine,
  id: string,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const found = await api.proposals.read({ params: { id }, signal })
  if (found.state !== 'open' || found.fault !== null)
    throw new CommandError(exitCodes.refused, describePreview(line, found))
  output.talk(describePreview(line, found))
  await confirmAct(line, t(locale, 'cli.proposal.ask'), yes)
  const { digest, count } = found
  const done = await api.proposals.confirm({ params: { id }, body: { digest, count }, signal })
  output.done({ ...done }, t(locale, `proposal.is.${done.state}`))
}

/** `proposal refuse ID`. */
export async function refuseProposal(line: CommandLine, id: string): Promise<void> {
  const { api } = connect(line)
  const done = await api.proposals.refuse({ params: { id }, signal: line.signal })
  line.output.done({ ...done }, t(line.locale, `proposal.is.${done.state}`))
}
