// Tokens of programs (docs/rules/contract.md#api-tokens).
import { type ApiToken, tokenRights } from '@jiaowu/api/contract/token'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'
import { readKnownWords } from '../terminal/known-words.ts'

/** `token ls`. */
export async function listTokens(line: CommandLine): Promise<void> {
  const { locale, output, signal } = line
  const records = await connect(line).api.apiToken.list({ signal })
  output.rows(records, () => ({
    heads: [
      t(locale, 'cli.refund.id'),
      t(locale, 'cli.col.name'),
      t(locale, 'token.state'),
      t(locale, 'token.entities'),
      t(locale, 'token.rights'),
      t(locale, 'token.expires'),
      t(locale, 'token.used'),
    ],
    cells: records.map((token: ApiToken) => [
      token.id,
      token.name,
      t(locale, `token.${token.state}`),
      token.entities.join(' '),
      token.rights.join(' '),
      token.expiresAt.slice(0, 10),
      token.usedAt ?? '-',
    ]),
  }))
}

interface CreateFlags {
  readonly entity: readonly string[]
  readonly rights: string
  readonly days: string
  readonly rate?: string
}

/** `token create NAME`: prints the token, once. */
export async function createToken(
  line: CommandLine,
  name: string,
  { entity, rights, days, rate }: CreateFlags,
): Promise<void> {
  const { locale, output, signal } = line
  if (entity.length === 0) throw new CommandError(exitCodes.usage, t(locale, 'cli.token.noEntity'))
  const made = await connect(line).api.apiToken.create({
    body: {
      name,
      entities: [...entity],
      rights: readKnownWords(line, rights, tokenRights, 'cli.token.badRight'),
      days: readWhole(line, days),
      ...(rate !== undefined && { perSecond: readWhole(line, rate) }),
    },
    signal,
  })
  output.talk(t(locale, 'token.once'))
  output.done({ ...made }, made.token)
}

function readWhole({ locale }: CommandLine, text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new CommandError(exitCodes.usage, t(locale, 'cli.token.badNumber', { value: text }))
}

/** `token revoke ID`. */
export async function revokeToken(
  line: CommandLine,
  id: string,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  await confirmAct(line, t(locale, 'token.revokeAsk', { name: id }), yes)
  output.done(await api.apiToken.revoke({ params: { id }, signal }), t(locale, 'token.gone'))
}
