import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { connect } from '../../session/connect.ts'
import { confirmAct } from '../../terminal/confirm.ts'

interface MoveFlags {
  readonly map: readonly string[]
  readonly note?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/**
 * `design move-cases TAG`: the open cases of earlier revisions of the flow, by state; with `--map OLD=NEW` they go on
 * in the flow as it is now, after a question.
 */
export async function moveCases(line: CommandLine, tag: string, flags: MoveFlags): Promise<void> {
  const { locale, output, signal } = line
  const { design } = connect(line).api
  const map = parseMap(line, flags.map)
  const note = flags.note ?? null
  const preview = await design.moveCases({ body: { tag, map, note, preview: true }, signal })
  const wanted = preview.states.filter(({ to }) => to !== null)
  const isAsked = flags.dryRun !== true && wanted.length > 0
  if (!isAsked || !output.json)
    output.rows(preview.states, () => ({
      heads: (['state', 'count', 'to'] as const).map((name) => t(locale, `cli.move.${name}`)),
      cells: preview.states.map(({ state, name, count, to, toName }) => [
        `${name} (${state})`,
        String(count),
        to === null ? t(locale, 'cli.move.stays') : `${toName ?? to} (${to})`,
      ]),
    }))
  if (!isAsked) return
  const n = wanted.reduce((sum, { count }) => sum + count, 0)
  await confirmAct(line, t(locale, 'cli.move.ask', { n }), flags.yes)
  const answer = await design.moveCases({ body: { tag, map, note, preview: false }, signal })
  for (const { id, msg } of answer.refused) output.talk(`${id}: ${msg}`)
  output.done(answer, t(locale, 'cli.move.done', { n: answer.moved }), String(answer.moved))
  if (answer.refused.length > 0) throw new CommandError(exitCodes.refused, '')
}

function parseMap({ locale }: CommandLine, pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1 || at === pair.length - 1)
        throw new CommandError(exitCodes.usage, t(locale, 'cli.badSetting', { setting: pair }))
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}
