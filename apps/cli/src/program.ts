import { type Locale, t, type TextKey } from '@jiaowu/api'
import { Command, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { type CommandLine, commandLine, type GlobalFlags } from './command-line.ts'
import { usageFault } from './usage-fault.ts'

type Service<A extends unknown[]> = (line: CommandLine, ...args: A) => Promise<void>
type PlainKey = Extract<TextKey, `cli.${string}`>

const repeat = (value: string, all: string[]) => [...all, value]

/**
 * Every command with its options. A command's module is loaded when it is run, so that `--version` and completion stay quick.
 * @param signal aborted by Ctrl-C
 * @param json wrong usage is told by the caller, as one object
 */
export function createProgram(locale: Locale, signal: AbortSignal, json = false): Command {
  const words = (key: PlainKey) => (t as (locale: Locale, key: PlainKey) => string)(locale, key)
  const run =
    <A extends unknown[]>(load: () => Promise<Service<A>>) =>
    async (...args: unknown[]): Promise<void> => {
      const command = args.pop() as Command
      const service = await load()
      await service(commandLine(command.optsWithGlobals<GlobalFlags>(), signal), ...(args as A))
    }
  /** The flags of every command may stand before or after its own words. */
  const common = (command: Command) =>
    command
      .exitOverride()
      .showHelpAfterError()
      .option('--server <url>', words('cli.server'))
      .option('--profile <name>', words('cli.profile'))
      .option('--json', words('cli.json'))
      .option('--lang <code>', words('cli.lang'))
  const group = (parent: Command, name: string, key: PlainKey) =>
    parent.command(name).description(words(key)).exitOverride().showHelpAfterError()
  const leaf = (parent: Command, usage: string, key: PlainKey) =>
    common(parent.command(usage).description(words(key)))
  const withQuery = (command: Command) =>
    command
      .option('-f, --filter <field=value>', words('cli.opt.filter'), repeat, [])
      .option('-s, --sort <columns>', words('cli.opt.sort'))
      .option('-c, --columns <names>', words('cli.opt.columns'))
      .option('--view <name>', words('cli.opt.view'))
  const withValues = (command: Command) =>
    command
      .option('--set <field=value>', words('cli.opt.set'), repeat, [])
      .option('--from <file>', words('cli.opt.from'))

  const program = common(
    new Command('jiaowu')
      .configureOutput({
        outputError: (message, write) => write(`${usageFault(locale, message)}\n`),
        ...(json && { writeErr: () => undefined }),
      })
      .description(words('cli.description')),
  )
    .version(packageJson.version, '-V, --version', words('cli.version'))
    .helpOption('-h, --help', words('cli.help'))
    .helpCommand('help [command]', words('cli.help'))

  leaf(program, 'login [account]', 'cli.login')
    .option('-u, --account <account>', words('cli.login.account'))
    .option('--password-stdin', words('cli.login.stdin'))
    .option('--tenant <id>', words('cli.login.tenant'))
    .action(run(async () => (await import('./commands/login.ts')).login))
  leaf(program, 'logout', 'cli.logout').action(
    run(async () => (await import('./commands/login.ts')).logout),
  )
  leaf(program, 'whoami', 'cli.whoami').action(
    run(async () => (await import('./commands/login.ts')).whoami),
  )

  const profile = group(program, 'profile', 'cli.profiles')
  leaf(profile, 'list', 'cli.profile.list')
    .alias('ls')
    .action(run(async () => (await import('./commands/profile.ts')).listProfiles))
  leaf(profile, 'use <name>', 'cli.profile.use').action(
    run(async () => (await import('./commands/profile.ts')).useProfile),
  )
  leaf(profile, 'remove <name>', 'cli.profile.remove')
    .alias('rm')
    .action(run(async () => (await import('./commands/profile.ts')).removeProfile))

  const entity = group(program, 'entity', 'cli.entity')
  leaf(entity, 'ls', 'cli.entity.ls').action(
    run(async () => (await import('./commands/entity-read.ts')).listEntities),
  )
  leaf(entity, 'show <tag>', 'cli.entity.show').action(
    run(async () => (await import('./commands/entity-read.ts')).showEntity),
  )
  withQuery(leaf(entity, 'list <tag>', 'cli.entity.list'))
    .option('-p, --page <n>', words('cli.opt.page'), '1')
    .option('-n, --size <n>', words('cli.opt.size'), '20')
    .action(run(async () => (await import('./commands/entity-read.ts')).listRows))
  leaf(entity, 'views <tag>', 'cli.views').action(
    run(async () => (await import('./commands/entity-views.ts')).listViews),
  )
  leaf(entity, 'get <tag> <id>', 'cli.entity.get').action(
    run(async () => (await import('./commands/entity-read.ts')).getRow),
  )
  withValues(leaf(entity, 'add <tag>', 'cli.entity.add')).action(
    run(async () => (await import('./commands/entity-write.ts')).addRow),
  )
  withValues(leaf(entity, 'edit <tag> <id>', 'cli.entity.edit')).action(
    run(async () => (await import('./commands/entity-write.ts')).editRow),
  )
  leaf(entity, 'rm <tag> <ids...>', 'cli.entity.rm')
    .option('-y, --yes', words('cli.opt.yes'))
    .action(run(async () => (await import('./commands/entity-write.ts')).removeRows))
  leaf(entity, 'press <tag> <id> <button>', 'cli.entity.press')
    .option('-y, --yes', words('cli.opt.yes'))
    .action(run(async () => (await import('./commands/entity-press.ts')).pressButton))
  const withBulk = (command: Command) =>
    command
      .option('-w, --where <field=value>', words('cli.opt.where'), repeat, [])
      .option('--all', words('cli.opt.all'))
      .option('--dry-run', words('cli.opt.bulkDryRun'))
      .option('--on-error <choice>', words('cli.opt.bulkOnError'))
      .option('--results <file>', words('cli.opt.bulkResults'))
      .option('-y, --yes', words('cli.opt.yes'))
  withBulk(
    leaf(entity, 'bulk-update <tag>', 'cli.entity.bulkUpdate').option(
      '--set <field=value>',
      words('cli.opt.set'),
      repeat,
      [],
    ),
  ).action(run(async () => (await import('./commands/entity-bulk.ts')).bulkUpdate))
  withBulk(leaf(entity, 'bulk-delete <tag>', 'cli.entity.bulkDelete')).action(
    run(async () => (await import('./commands/entity-bulk.ts')).bulkDelete),
  )
  withQuery(leaf(entity, 'export <tag>', 'cli.entity.export'))
    .option('-o, --output <file>', words('cli.opt.output'))
    .option('--format <format>', words('cli.opt.format'))
    .action(run(async () => (await import('./commands/entity-files.ts')).exportRows))
  leaf(entity, 'template <tag>', 'cli.entity.template')
    .option('-o, --output <file>', words('cli.opt.output'))
    .action(run(async () => (await import('./commands/entity-files.ts')).template))

  leaf(entity, 'import [tag] [file]', 'cli.entity.import')
    .option('--mode <mode>', words('cli.opt.mode'))
    .option('--key <field>', words('cli.opt.key'))
    .option('--on-error <choice>', words('cli.opt.onError'))
    .option('--empty <meaning>', words('cli.opt.empty'))
    .option('--dry-run', words('cli.opt.dryRun'))
    .option('--mapping <json>', words('cli.opt.mapping'))
    .option('--format <format>', words('cli.opt.inputFormat'))
    .option('--resume <job>', words('cli.opt.resume'))
    .option('--results <file>', words('cli.opt.results'))
    .option('--only-wrong', words('cli.opt.onlyWrong'))
    .option('-y, --yes', words('cli.opt.yes'))
    .action(run(async () => (await import('./commands/entity-import.ts')).importRows))

  const design = group(program, 'design', 'cli.design')
  const withFolder = (command: Command) =>
    command.option('-d, --dir <folder>', words('cli.design.dir'), 'design')
  withFolder(leaf(design, 'pull [tags...]', 'cli.design.pull'))
    .option('--own', words('cli.design.own'))
    .action(run(async () => (await import('./commands/design.ts')).pullDesign))
  withFolder(leaf(design, 'lint [tags...]', 'cli.design.lint'))
    .option('--offline', words('cli.design.offline'))
    .action(run(async () => (await import('./commands/design.ts')).lintDesign))
  withFolder(leaf(design, 'diff [tags...]', 'cli.design.diff'))
    .option('--exit-code', words('cli.design.exitCode'))
    .action(run(async () => (await import('./commands/design.ts')).diffDesign))
  withFolder(leaf(design, 'apply [tags...]', 'cli.design.apply'))
    .option('--dry-run', words('cli.design.dryRun'))
    .option('--note <text>', words('cli.design.note'))
    .option('-y, --yes', words('cli.opt.yes'))
    .action(run(async () => (await import('./commands/design.ts')).applyDesign))

  leaf(program, 'student', 'cli.student')
    .option('-o, --output <folder>', words('cli.opt.folder'))
    .action(run(async () => (await import('./commands/student.ts')).student))

  const machine = group(program, 'machine', 'cli.machine')
  leaf(machine, 'ls', 'cli.machine.ls').action(
    run(async () => (await import('./commands/machine.ts')).listMachines),
  )
  leaf(machine, 'graph <name>', 'cli.machine.graph').action(
    run(async () => (await import('./commands/machine.ts')).printGraph),
  )
  leaf(machine, 'paths <name>', 'cli.machine.paths').action(
    run(async () => (await import('./commands/machine.ts')).printPaths),
  )

  leaf(program, 'completion', 'cli.completion')
    .addArgument(
      program
        .createArgument('<shell>', words('cli.completion.shell'))
        .choices(['bash', 'zsh', 'fish']),
    )
    .action(run(async () => (await import('./commands/completion.ts')).printCompletion))
  program
    .command('__complete <shell> [words...]', { hidden: true })
    .exitOverride()
    .addOption(new Option('--server <url>').hideHelp())
    .action(async (shell: string, typed: string[]) =>
      (await import('./commands/complete.ts')).complete(program, shell, typed, signal),
    )
  return program
}
