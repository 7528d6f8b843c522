import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { connect } from '../../session/connect.ts'

interface RevealFlags {
  readonly field?: string
  readonly reason?: string
}

/** `entity reveal TAG ID`: prints one value of personal data (docs/rules/security.md#d5). */
export async function revealValue(
  line: CommandLine,
  tag: string,
  id: string,
  { field, reason }: RevealFlags,
): Promise<void> {
  const { locale, output, signal } = line
  if (field === undefined || reason === undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.needRevealFlags'))
  const answer = await connect(line).api.entityData.reveal({
    params: { tag, id },
    body: { field, reason },
    signal,
  })
  output.done({ field, ...answer }, answer.value, answer.value)
}
