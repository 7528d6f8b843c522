// Permissions of roles. Nobody grants what they do not hold; the server checks it.
import type { RolePermissions } from '@jiaowu/api/entity/role'
import { findNearest } from '@jiaowu/api/fields/no-choice'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import type { Api } from '../session/api.ts'
import { connect } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'

const roles = 'SYS_ROLE'

/** `role show CODE`: its permissions, one a line, and its rules by entity. */
export async function showRole(line: CommandLine, code: string): Promise<void> {
  const { output } = line
  const { groups: _groups, ...role } = await loadRole(line, connect(line).api, code)
  output.data(role, () => [
    ...role.codes,
    ...role.rules.map(({ tag, scope, expression, overrides }) =>
      [tag, scope, expression ?? '', Object.keys(overrides).join(' ')].join('\t').trimEnd(),
    ),
  ])
}

async function loadRole(
  { locale, signal }: CommandLine,
  api: Api,
  code: string,
): Promise<RolePermissions> {
  const { records } = await api.entityData.page({
    params: { tag: roles },
    body: { pageSize: 1000, withTotal: false },
    signal,
  })
  const named = records.map((row) => ({
    id: row.id,
    name: String(row['code']),
    label: String(row['name']),
  }))
  const short = `ROLE_${code.toUpperCase()}`
  const found = named.find(
    ({ id, name, label }) => [id, name, label].includes(code) || name === short,
  )
  if (found !== undefined) return await api.role.permissions({ params: { id: found.id }, signal })
  const meant = findNearest(code, named)
  throw new CommandError(
    exitCodes.refused,
    [
      t(locale, 'cli.role.none', { code }),
      ...(meant === null ? [] : [t(locale, 'cli.use.suggestion', { words: meant.name })]),
    ].join(' '),
  )
}

interface ChangeFlags {
  readonly yes?: boolean
}

/** `role grant CODE PERMISSION…`. */
export async function grantRole(
  line: CommandLine,
  code: string,
  permissions: readonly string[],
  flags: ChangeFlags,
): Promise<void> {
  await changeRole(line, code, { given: permissions, taken: [] }, flags)
}

/** `role withdraw CODE PERMISSION…`. */
export async function withdrawRole(
  line: CommandLine,
  code: string,
  permissions: readonly string[],
  flags: ChangeFlags,
): Promise<void> {
  await changeRole(line, code, { given: [], taken: permissions }, flags)
}

async function changeRole(
  line: CommandLine,
  code: string,
  { given, taken }: { readonly given: readonly string[]; readonly taken: readonly string[] },
  { yes }: ChangeFlags,
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const role = await loadRole(line, api, code)
  const codes = [...new Set([...role.codes, ...given])].filter((each) => !taken.includes(each))
  const changes = [
    ...codes.filter((each) => !role.codes.includes(each)).map((each) => `+ ${each}`),
    ...role.codes.filter((each) => !codes.includes(each)).map((each) => `- ${each}`),
  ]
  if (changes.length === 0) {
    output.done({ changed: 0 }, t(locale, 'cli.role.same'))
    return
  }
  for (const change of changes) output.talk(change)
  await confirmAct(line, t(locale, 'cli.role.ask', { name: role.name }), yes)
  const saved = await api.role.savePermissions({
    params: { id: role.id },
    body: {
      version: role.version,
      codes,
      rules: role.rules.map((rule) => ({ ...rule, overrides: { ...rule.overrides } })),
    },
    signal,
  })
  output.done(
    { code: saved.code, version: saved.version, changed: changes.length },
    t(locale, 'cli.role.saved', { name: role.name, n: changes.length }),
  )
}
