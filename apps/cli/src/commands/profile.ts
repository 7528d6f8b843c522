import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { signOut } from '../session/connect.ts'
import { CommandError, exitCodes } from '../exit.ts'

/** `profile list`: names, servers and accounts, without tokens. */
export function listProfiles({ sessions, output, locale }: CommandLine): Promise<void> {
  const current = sessions.current()
  const records = Object.entries(sessions.profiles()).map(
    ([name, { server, account, session }]) => ({
      name,
      server,
      account,
      signedIn: session !== null,
      current: name === current,
    }),
  )
  output.rows(records, () => ({
    heads: [
      '',
      t(locale, 'cli.col.name'),
      t(locale, 'cli.col.server'),
      t(locale, 'cli.col.account'),
      t(locale, 'cli.col.signedIn'),
    ],
    cells: records.map((each) => [
      each.current ? '*' : '',
      each.name,
      each.server,
      each.account,
      t(locale, each.signedIn ? 'common.yes' : 'common.no'),
    ]),
  }))
  return Promise.resolve()
}

/** `profile use NAME`: makes a profile the default of later commands. */
export async function useProfile(line: CommandLine, name: string): Promise<void> {
  const { server, account } = profileNamed(line, name)
  await line.sessions.use(name)
  line.output.done(
    { name, server, account },
    t(line.locale, 'cli.profileUsed', { name, account, server }),
  )
}

function profileNamed({ sessions, locale }: CommandLine, name: string) {
  const profile = sessions.get(name)
  if (profile === null)
    throw new CommandError(exitCodes.refused, t(locale, 'cli.noProfile', { name }))
  return profile
}

/** `profile remove NAME`: signs out, then removes the profile. */
export async function removeProfile(line: CommandLine, name: string): Promise<void> {
  const { server } = profileNamed(line, name)
  await signOut({ ...line, profile: name, server })
  await line.sessions.remove(name)
  line.output.done({ name, removed: true }, t(line.locale, 'cli.profileRemoved', { name }))
}
