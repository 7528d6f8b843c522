import { ApiProblem, problemText, t } from '@jiaowu/api'
import { Command, CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { type CommandLine, commandLine, type GlobalFlags, localeOfEnv } from './command-line.ts'
import { CommandError, exitCodeOf, exitCodes } from './exit.ts'
import { clean } from './terminal-text.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new CommandError(exitCodes.interrupted, '')))
process.once('SIGTERM', () => stop.abort(new CommandError(exitCodes.interrupted, '')))
// A closed pipe (`| head`) ends the command quietly, as other tools do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => { if (error.code === 'EPIPE') process.exit(exitCodes.done); throw error })

const flagOf = (name: string) => { const at = process.argv.indexOf(name); return at > 0 ? process.argv[at + 1] : undefined }
const locale = localeOfEnv(flagOf('--lang'), process.env)
const words = (key: Parameters<typeof t>[1]) => t(locale, key as 'cli.json')

/** Runs a command's service; each is loaded only when it is called, so that `--version` stays quick. */
const run = <A extends unknown[]>(load: () => Promise<(line: CommandLine, ...args: A) => Promise<void>>) =>
  async (...args: unknown[]): Promise<void> => {
    const command = args.pop() as Command
    const service = await load()
    await service(commandLine(command.optsWithGlobals<GlobalFlags>(), stop.signal), ...(args as A))
  }

const program = new Command('jiaowu')
  .description(words('cli.description')).version(packageJson.version, '-V, --version')
  .option('--server <url>', words('cli.server')).option('--json', words('cli.json')).option('--lang <code>', words('cli.lang'))
  .showHelpAfterError().exitOverride()
  // `--json` and `--server` may stand before or after the command's own words.
  .configureOutput({ writeErr: (text) => process.stderr.write(text) })

const common = (command: Command) => command.option('--server <url>', words('cli.server')).option('--json', words('cli.json')).option('--lang <code>', words('cli.lang')).exitOverride().showHelpAfterError()
const repeat = (value: string, all: string[]) => [...all, value]
const withQuery = (command: Command) =>
  common(command).option('-f, --filter <field=value>', words('cli.opt.filter'), repeat, []).option('-s, --sort <columns>', words('cli.opt.sort')).option('-c, --columns <names>', words('cli.opt.columns'))

common(program.command('login').argument('[account]').description(words('cli.login')))
  .option('-u, --account <account>', words('cli.login.account')).option('--password-stdin', words('cli.login.stdin')).option('--tenant <id>', words('cli.login.tenant'))
  .action(run(async () => (await import('./commands/login.ts')).login))
common(program.command('logout').description(words('cli.logout'))).action(run(async () => (await import('./commands/login.ts')).logout))
common(program.command('whoami').description(words('cli.whoami'))).action(run(async () => (await import('./commands/login.ts')).whoami))

const entity = program.command('entity').description(words('cli.entity')).exitOverride()
common(entity.command('ls').description(words('cli.entity.ls'))).action(run(async () => (await import('./commands/entity-read.ts')).listEntities))
common(entity.command('show').argument('<tag>').description(words('cli.entity.show'))).action(run(async () => (await import('./commands/entity-read.ts')).showEntity))
withQuery(entity.command('list').argument('<tag>').description(words('cli.entity.list')))
  .option('-p, --page <n>', words('cli.opt.page'), '1').option('-n, --size <n>', words('cli.opt.size'), '20')
  .action(run(async () => (await import('./commands/entity-read.ts')).listRows))
common(entity.command('get').argument('<tag>').argument('<id>').description(words('cli.entity.get'))).action(run(async () => (await import('./commands/entity-read.ts')).getRow))
withQuery(entity.command('export').argument('<tag>').description(words('cli.entity.export')))
  .option('-o, --output <file>', words('cli.opt.output')).option('--format <format>', words('cli.opt.format'))
  .action(run(async () => (await import('./commands/entity-files.ts')).exportRows))
common(entity.command('template').argument('<tag>').description(words('cli.entity.template')))
  .option('-o, --output <file>', words('cli.opt.output'))
  .action(run(async () => (await import('./commands/entity-files.ts')).template))

const wantsJson = process.argv.includes('--json')
const tell = (message: string, more: Record<string, unknown>) => process.stderr.write(wantsJson ? `${JSON.stringify({ error: { message: clean(message), ...more } })}\n` : `${clean(message)}\n`)

const exitWith = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (stop.signal.aborted) { tell(t(locale, 'cli.interrupted'), { code: exitCodes.interrupted }); return exitCodes.interrupted }
  if (error instanceof CommandError) { tell(error.message, { code: error.exitCode }); return error.exitCode }
  if (error instanceof ApiProblem) {
    const { problem } = error
    tell(problemText(locale, problem), { code: problem.code, issues: problem.issues, traceId: problem.traceId })
    if (!wantsJson) for (const { path, msg } of problem.issues) tell(`  ${path}: ${msg}`, {})
    return exitCodeOf(problem)
  }
  tell(`${t(locale, 'cli.fault')}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, { code: exitCodes.fault })
  return exitCodes.fault
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitWith(error)
}
