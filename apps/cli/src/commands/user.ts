// Accounts of staff with one-time passwords, which the server makes and tells once.
import type { NewAccount } from '@jiaowu/api/contract/administration/account'
import { limits } from '@jiaowu/api/limits'
import { t } from '@jiaowu/api/texts/index'
import { open } from 'node:fs/promises'
import type { CommandLine } from '../command-line.ts'
import { parseValues } from '../entities/entity-query.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { fileFault } from '../files/file-fault.ts'
import { readList, type ListRecord } from '../files/list-file.ts'
import { assertFree } from '../files/save-file.ts'
import type { Api } from '../session/api.ts'
import { connect } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'
import { findAccount } from './session.ts'

const accounts = 'SYS_USER'

interface ImportFlags {
  readonly output?: string
  readonly yes?: boolean
}

/**
 * `user import FILE`: an account for each row of a list (`account`, `name`, `roles` …), and a CSV with their one-time
 * passwords that its owner alone may read. Exit code 3 where some were refused.
 */
export async function importUsers(
  line: CommandLine,
  path: string,
  { output: target = 'passwords.csv', yes }: ImportFlags,
): Promise<void> {
  const { locale, output } = line
  await assertFree(line, target)
  const records = await readList(path, locale)
  const { api } = connect(line)
  const bodies = await readBodies(line, api, records)
  await confirmAct(line, t(locale, 'cli.user.ask', { n: bodies.length }), yes)
  const file = await openPrivate(line, target)
  const made: NewAccount[] = []
  try {
    await file.write('account,password\n')
    for (let at = 0; at < bodies.length; at += limits.newAccounts) {
      const batch = await api.account.createMany({
        body: { accounts: bodies.slice(at, at + limits.newAccounts) },
        signal: line.signal,
      })
      // Written before the next ones are made: an interruption loses none.
      for (const { account, password } of batch)
        if (password !== null) await file.write(`${csvCell(account)},${password}\n`)
      made.push(...batch.map((each) => ({ ...each, index: each.index + at })))
    }
  } finally {
    await file.close()
  }
  reportRefused(line, made, records)
  const done = made.filter(({ password }) => password !== null).length
  output.done(
    { made: done, refused: made.length - done, path: target },
    t(locale, 'cli.user.made', { n: done, path: target }),
    target,
  )
  if (done < made.length)
    throw new CommandError(done === 0 ? exitCodes.refused : exitCodes.partial, '')
}

async function readBodies(
  { locale, signal }: CommandLine,
  api: Api,
  records: readonly ListRecord[],
): Promise<Record<string, unknown>[]> {
  const config = await api.entityData.config({ params: { tag: accounts }, signal })
  const findAttrName = (heading: string) =>
    config.fields.find(({ attrName, uiLabel }) =>
      [attrName, uiLabel].some((each) => each.toLowerCase() === heading),
    )?.attrName ?? heading
  const bodies: Record<string, unknown>[] = []
  for (const { cells } of records)
    bodies.push(
      await parseValues(
        api,
        config,
        Object.entries(cells)
          .filter(([, text]) => text.trim() !== '')
          .map(([heading, text]) => `${findAttrName(heading)}=${text.trim()}`),
        locale,
      ),
    )
  return bodies
}

async function openPrivate({ locale, overwrites }: CommandLine, path: string) {
  try {
    return await open(path, overwrites ? 'w' : 'wx', 0o600)
  } catch (error) {
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.cannotWrite', { path, reason: fileFault(locale, error) }),
    )
  }
}

const csvCell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function reportRefused(
  { output }: CommandLine,
  made: readonly NewAccount[],
  records: readonly ListRecord[],
): void {
  for (const { index, account, password, issues } of made)
    if (password === null)
      output.talk(
        `${records[index]?.row ?? index + 1}: ${account}: ${issues.map(({ msg }) => msg).join('; ')}`,
      )
}

/** `user password ACCOUNT`: a new one-time password, printed once. */
export async function resetPassword(
  line: CommandLine,
  account: string,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const { id, name } = await findAccount(line, api, account)
  await confirmAct(line, t(locale, 'cli.user.askReset', { name, account }), yes)
  const done = await api.account.resetPassword({ params: { id }, signal })
  output.data(done, () => [done.password])
}
