import { joinDuties, splitDuties } from '../../access/split-duties.ts'
import { type Command, exit, print, UsageError, withAuditLog } from './command.ts'

const text = { type: 'string' } as const

/** Three administrators instead of one (docs/rules/security.md#three-administrators). */
export const splitCommand: Command = {
  usage: 'SCHOOL --system ACCOUNT --security ACCOUNT --audit ACCOUNT',
  help: 'give three accounts of a school the three administrators’ roles, and nobody all rights',
  positionals: 1,
  options: { system: text, security: text, audit: text },
  run: async ({ positionals: [school = ''], options }) => {
    const accounts = {
      system: requireOption(options, 'system'),
      security: requireOption(options, 'security'),
      audit: requireOption(options, 'audit'),
    }
    return await change((services) => splitDuties(services, school, accounts), school)
  },
}

export const joinCommand: Command = {
  usage: 'SCHOOL --account ACCOUNT',
  help: 'give one account of a school all rights again',
  positionals: 1,
  options: { account: text },
  run: async ({ positionals: [school = ''], options }) => {
    const account = requireOption(options, 'account')
    return await change((services) => joinDuties(services, school, account), school)
  },
}

type Work = Parameters<typeof withAuditLog<void>>[0]

async function change(work: Work, school: string): Promise<number> {
  if (!/^\d{1,18}$/.test(school)) throw new UsageError(`"${school}" is not the number of a school.`)
  await withAuditLog(work)
  print(`School ${school}: done. It acts on the next call of each account.`)
  return exit.done
}

function requireOption(options: Readonly<Record<string, unknown>>, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing.`)
  return value
}
