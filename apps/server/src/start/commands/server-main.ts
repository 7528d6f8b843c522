// `npm run server -- COMMAND`: see docs/operations.md.
import { parseArgs } from 'node:util'
import { run as start } from '../main.ts'
import { startSentence } from '../../platform/settings/start-sentence.ts'
import { adminResetCommand } from './admin.ts'
import { factorResetCommand } from './factor.ts'
import { joinCommand, splitCommand } from './administrators.ts'
import { auditArchiveCommand, auditVerifyCommand } from './audit.ts'
import { type Arguments, type Command, exit, print, UsageError, withServices } from './command.ts'
import { backupCommand, restoreCommand, verifyCommand } from './backup.ts'
import { checkRoleCommand } from './check-role.ts'
import { clusterSpreadCommand } from './cluster.ts'
import { doctorCommand } from './doctor.ts'
import { piiRotateCommand } from './pii-rotate.ts'
import { providerCheckCommand, smsTestCommand } from './provider.ts'
import { ssoLookCommand, ssoPreviewCommand, ssoSealCommand } from './sso.ts'
import { sqlCommand } from './sql/sql.ts'

/** By name; a name may have two words. Without a name the server starts. */
const commands: Readonly<Record<string, Command>> = {
  start: {
    usage: '',
    help: 'start the server (the default)',
    run: async () => {
      await start()
      return exit.done
    },
  },
  migrate: {
    usage: '',
    help: 'apply missing migrations and end',
    run: () =>
      withServices(async () => {
        print('The tables are up to date.')
        return exit.done
      }),
  },
  backup: backupCommand,
  restore: restoreCommand,
  verify: verifyCommand,
  'check-role': checkRoleCommand,
  'pii rotate': piiRotateCommand,
  doctor: doctorCommand,
  sql: sqlCommand,
  'admin reset': adminResetCommand,
  'administrators split': splitCommand,
  'administrators join': joinCommand,
  'factor reset': factorResetCommand,
  'audit verify': auditVerifyCommand,
  'audit archive': auditArchiveCommand,
  'cluster spread': clusterSpreadCommand,
  'provider check': providerCheckCommand,
  'sms test': smsTestCommand,
  'sso seal': ssoSealCommand,
  'sso look': ssoLookCommand,
  'sso preview': ssoPreviewCommand,
}

/** As the launcher of a release names itself. */
const program = process.env['JIAOWU_PROGRAM'] ?? 'npm run server --'

if (import.meta.main) {
  const code = await dispatch(process.argv.slice(2))
  if (code !== exit.done) process.exitCode = code
}

async function dispatch(words: readonly string[]): Promise<number> {
  if (words[0] === '--help' || words[0] === '-h' || words[0] === 'help') {
    print(overview())
    return exit.done
  }
  const [name, rest] = findCommandName(words)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    process.stderr.write(`There is no command "${name}".\n\n${overview()}\n`)
    return exit.usage
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    print(`${formatUsage(name, command)}\n  ${command.help}`)
    return exit.done
  }
  try {
    return await command.run(parseArguments(command, rest))
  } catch (error) {
    process.stderr.write(`${startSentence(error)}\n`)
    if (!(error instanceof UsageError)) return exit.fault
    process.stderr.write(`${formatUsage(name, command)}\n`)
    return exit.usage
  }
}

/** The longest known name at the start of the words, and what follows it. */
function findCommandName(words: readonly string[]): [name: string, rest: readonly string[]] {
  const [first = 'start', second = ''] = words
  const both = `${first} ${second}`
  const isGroup = Object.keys(commands).some((name) => name.startsWith(`${first} `))
  return isGroup ? [both.trimEnd(), words.slice(2)] : [first, words.slice(1)]
}

/** @throws UsageError */
function parseArguments(
  { options = {}, positionals = 0 }: Command,
  rest: readonly string[],
): Arguments {
  let parsed
  try {
    parsed = parseArgs({ args: [...rest], options, allowPositionals: positionals > 0 })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  if (parsed.positionals.length !== positionals)
    throw new UsageError(`The command takes ${positionals} argument(s).`)
  return { positionals: parsed.positionals, options: parsed.values }
}

function overview(): string {
  const names = Object.entries(commands).map(([name, { usage, help }]) => ({
    call: `${name} ${usage}`.trimEnd(),
    help,
  }))
  const width = Math.max(...names.map(({ call }) => call.length)) + 2
  return [
    `usage: ${program} COMMAND`,
    ...names.map(({ call, help }) => `  ${call.padEnd(width)}${help}`),
    'Exit codes: 0 done, 1 fault, 2 wrong usage, 7 checks found problems.',
  ].join('\n')
}

function formatUsage(name: string, { usage }: Command): string {
  return `usage: ${program} ${name} ${usage}`.trimEnd()
}
