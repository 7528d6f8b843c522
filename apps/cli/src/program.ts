import type { Locale } from '@jiaowu/api/locale'
import { Command, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import {
  type Builder,
  createBuilder,
  repeat,
  withGlobalFlags,
  withQuery,
} from './program-parts/builder.ts'
import { addOfficeCommands } from './program-parts/office.ts'
import { addTableCommands } from './program-parts/tables.ts'
import { addScriptCommands } from './program-parts/scripts.ts'
import { usageFault } from './usage-fault.ts'

/**
 * All commands with their options. A command's module is loaded when the command runs, to keep
 * `--version` and completion fast.
 *
 * @param signal aborted by Ctrl-C
 * @param json the caller reports wrong usage, as one JSON object
 */
export function createProgram(locale: Locale, signal: AbortSignal, json = false): Command {
  const builder = createBuilder(locale, signal)
  const { text } = builder
  const program = withGlobalFlags(
    builder,
    new Command('jiaowu')
      .configureOutput({
        outputError: (message, write) => write(`${usageFault(locale, message)}\n`),
        ...(json && { writeErr: () => undefined }),
      })
      .description(text('cli.description')),
  )
    .version(packageJson.version, '-V, --version', text('cli.version'))
    .helpOption('-h, --help', text('cli.help'))
    .helpCommand('help [command]', text('cli.help'))
  addSessionCommands(program, builder)
  addProfileCommands(program, builder)
  addEntityCommands(program, builder)
  addFlowCommands(program, builder)
  addDesignCommands(program, builder)
  addOfficeCommands(program, builder)
  addScriptCommands(program, builder)
  addStudentCommand(program, builder)
  addJobCommands(program, builder)
  addProviderCommands(program, builder)
  addMachineCommands(program, builder)
  addCompletion(program, builder, signal)
  return program
}

function addSessionCommands(program: Command, { text, run, group, leaf }: Builder): void {
  leaf(program, 'login [account]', 'cli.login')
    .option('-u, --account <account>', text('cli.login.account'))
    .option('--password-stdin', text('cli.login.stdin'))
    .option('--tenant <id>', text('cli.login.tenant'))
    .option('--device', text('cli.login.device'))
    .option('--provider <id>', text('cli.login.provider'))
    .option('--totp <code>', text('cli.login.totp'))
    .action(run(async () => (await import('./commands/login.ts')).login))
  leaf(program, 'logout', 'cli.logout').action(
    run(async () => (await import('./commands/login.ts')).logout),
  )
  leaf(program, 'whoami', 'cli.whoami').action(
    run(async () => (await import('./commands/login.ts')).whoami),
  )
  const session = group(program, 'session', 'cli.session')
  leaf(session, 'ls', 'cli.session.ls').action(
    run(async () => (await import('./commands/session.ts')).listSessions),
  )
  leaf(session, 'end [id]', 'cli.session.end')
    .option('--others', text('cli.session.others'))
    .action(run(async () => (await import('./commands/session.ts')).endSession))
  const account = group(program, 'account', 'cli.account')
  leaf(account, 'end-sessions <account>', 'cli.account.endSessions')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/session.ts')).endAccountSessions))
  leaf(account, 'hand-over <account> <to>', 'cli.account.handOver')
    .option('--note <text>', text('cli.flow.note'))
    .option('--dry-run', text('cli.flow.dryRun'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/hand-over.ts')).handOverTodos))
}

function addFlowCommands(program: Command, builder: Builder): void {
  const { text, run, group, leaf } = builder
  leaf(program, 'todo', 'cli.todo')
    .option('--mine <which>', text('cli.todo.mine'), 'open')
    .option('--tag <tag>', text('cli.todo.tag'))
    .option('--sort <order>', text('cli.todo.sort'))
    .option('--due <days>', text('cli.todo.due'))
    .option('-p, --page <n>', text('cli.opt.page'), '1')
    .action(run(async () => (await import('./commands/flow.ts')).listTodos))
  const flow = group(program, 'flow', 'cli.flow')
  leaf(flow, 'show <tag> <id>', 'cli.flow.show').action(
    run(async () => (await import('./commands/flow.ts')).showFlow),
  )
  leaf(flow, 'decide [tag] [id] [event]', 'cli.flow.decide')
    .option('--note <text>', text('cli.flow.note'))
    .option('--file <file>', text('cli.flow.file'))
    .option('-y, --yes', text('cli.opt.yes'))
    .option('--set <field=value>', text('cli.opt.set'), repeat, [])
    .option('--dry-run', text('cli.flow.dryRun'))
    .action(run(async () => (await import('./commands/flow.ts')).decideFlow))
  leaf(flow, 'print <tag> <id>', 'cli.flow.print')
    .option('-o, --output <file>', text('cli.opt.output'))
    .option('--force', text('cli.opt.force'))
    .action(run(async () => (await import('./commands/flow.ts')).printCase))
  leaf(flow, 'withdraw <tag> <id>', 'cli.flow.withdraw')
    .option('--note <text>', text('cli.flow.note'))
    .action(run(async () => (await import('./commands/flow.ts')).withdrawFlow))
  addSharing(flow, builder)
}

function addSharing(flow: Command, { text, run, leaf }: Builder): void {
  const withTask = (command: Command) =>
    command
      .option('--to <person>', text('cli.flow.to'))
      .option('--note <text>', text('cli.flow.note'))
      .option('--step <path>', text('cli.flow.step'))
      .option('--dry-run', text('cli.flow.wouldHand'))
  withTask(leaf(flow, 'transfer <tag> <id>', 'cli.flow.transfer')).action(
    run(async () => (await import('./commands/flow-share.ts')).transferTask),
  )
  withTask(leaf(flow, 'add <tag> <id>', 'cli.flow.add'))
    .option('--way <when>', text('cli.flow.way'))
    .option('--role <code>', text('cli.flow.role'))
    .action(run(async () => (await import('./commands/flow-share.ts')).addDecider))
  leaf(flow, 'copy <tag> <id>', 'cli.flow.copy')
    .option('--to <person>', text('cli.flow.toSeveral'), repeat, [])
    .option('--note <text>', text('cli.flow.note'))
    .action(run(async () => (await import('./commands/flow-share.ts')).sendCopies))
  leaf(flow, 'delegate', 'cli.flow.delegate')
    .option('--to <person>', text('cli.flow.to'))
    .option('--from <day>', text('cli.flow.from'))
    .option('--until <day>', text('cli.flow.until'))
    .option('--tag <tag>', text('cli.flow.tags'), repeat, [])
    .option('--note <text>', text('cli.flow.note'))
    .option('--end <id>', text('cli.flow.end'))
    .action(run(async () => (await import('./commands/flow-share.ts')).delegate))
}

function addProviderCommands(program: Command, { run, group, leaf }: Builder): void {
  const provider = group(program, 'provider', 'cli.provider')
  leaf(provider, 'check', 'cli.provider.check').action(
    run(async () => (await import('./commands/provider.ts')).checkProviders),
  )
  const sms = group(program, 'sms', 'cli.sms')
  leaf(sms, 'test <mobile>', 'cli.sms.test').action(
    run(async () => (await import('./commands/provider.ts')).testSms),
  )
}

function addProfileCommands(program: Command, { run, group, leaf }: Builder): void {
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
}

function addEntityCommands(program: Command, builder: Builder): void {
  const entity = builder.group(program, 'entity', 'cli.entity')
  addEntityReading(entity, builder)
  addEntityWriting(entity, builder)
  addEntityGrid(entity, builder)
  addEntityBulk(entity, builder)
  addEntityFiles(entity, builder)
}

function addEntityReading(entity: Command, builder: Builder): void {
  const { text, run, leaf } = builder
  leaf(entity, 'ls', 'cli.entity.ls').action(
    run(async () => (await import('./commands/entity/read.ts')).listEntities),
  )
  leaf(entity, 'show <tag>', 'cli.entity.show').action(
    run(async () => (await import('./commands/entity/read.ts')).showEntity),
  )
  withQuery(builder, leaf(entity, 'list <tag>', 'cli.entity.list'))
    .option('-p, --page <n>', text('cli.opt.page'))
    .option('-n, --size <n>', text('cli.opt.size'))
    .option('--group <field>', text('cli.opt.group'))
    .option('--having <condition>', text('cli.opt.having'), repeat, [])
    .option('--order-groups <order>', text('cli.opt.orderGroups'))
    .option('--cross <field>', text('cli.opt.cross'))
    .option('--footer <field:figure>', text('cli.opt.footer'), repeat, [])
    .action(run(async () => (await import('./commands/entity/read.ts')).listRows))
  leaf(entity, 'views <tag>', 'cli.views').action(
    run(async () => (await import('./commands/entity/views.ts')).listViews),
  )
  leaf(entity, 'get <tag> <id>', 'cli.entity.get').action(
    run(async () => (await import('./commands/entity/read.ts')).getRow),
  )
  leaf(entity, 'reveal <tag> <id>', 'cli.entity.reveal')
    .option('--field <name>', text('cli.opt.revealField'))
    .option('--reason <text>', text('cli.opt.reason'))
    .action(run(async () => (await import('./commands/entity/reveal.ts')).revealValue))
}

function addEntityGrid(entity: Command, builder: Builder): void {
  const { text, run, leaf } = builder
  withQuery(builder, leaf(entity, 'grid <tag>', 'cli.entity.grid'))
    .option('--paste', text('cli.opt.paste'))
    .action(run(async () => (await import('./commands/entity/grid.ts')).editGrid))
  leaf(entity, 'entry <tag>', 'cli.entity.entry')
    .option('-f, --filter <field=value>', text('cli.opt.filter'), repeat, [])
    .option('--add [field=value]', text('cli.opt.addRows'), addOptionValue)
    .option('--submit', text('cli.opt.submit'))
    .option('--unlock', text('cli.opt.unlock'))
    .option('--reason <text>', text('cli.opt.reason'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/entity/entry.ts')).entrySheet))
}

/** Like `repeat`, where the option may be left out; without a value it is true, and the command asks. */
function addOptionValue(value: string, all: string[] | undefined): string[] {
  return [...(all ?? []), value]
}

function addEntityWriting(entity: Command, { text, run, leaf }: Builder): void {
  const withValues = (command: Command) =>
    command
      .option('--set <field=value>', text('cli.opt.set'), repeat, [])
      .option('--from <file>', text('cli.opt.from'))
  withValues(leaf(entity, 'add <tag>', 'cli.entity.add')).action(
    run(async () => (await import('./commands/entity/write.ts')).addRow),
  )
  withValues(leaf(entity, 'edit <tag> <id>', 'cli.entity.edit')).action(
    run(async () => (await import('./commands/entity/write.ts')).editRow),
  )
  leaf(entity, 'rm <tag> <ids...>', 'cli.entity.rm')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/entity/write.ts')).removeRows))
  leaf(entity, 'press <tag> <id> <button>', 'cli.entity.press')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/entity/press.ts')).pressButton))
}

function addEntityBulk(entity: Command, { text, run, leaf }: Builder): void {
  const withBulk = (command: Command) =>
    command
      .option('-w, --where <field=value>', text('cli.opt.where'), repeat, [])
      .option('--all', text('cli.opt.all'))
      .option('--dry-run', text('cli.opt.bulkDryRun'))
      .option('--on-error <choice>', text('cli.opt.bulkOnError'))
      .option('--results <file>', text('cli.opt.bulkResults'))
      .option('--force', text('cli.opt.force'))
      .option('-y, --yes', text('cli.opt.yes'))
  const update = leaf(entity, 'bulk-update <tag>', 'cli.entity.bulkUpdate')
  withBulk(update.option('--set <field=value>', text('cli.opt.set'), repeat, [])).action(
    run(async () => (await import('./commands/entity/bulk.ts')).bulkUpdate),
  )
  withBulk(leaf(entity, 'recompute <tag>', 'cli.entity.recompute')).action(
    run(async () => (await import('./commands/entity/bulk.ts')).recompute),
  )
  withBulk(leaf(entity, 'bulk-delete <tag>', 'cli.entity.bulkDelete')).action(
    run(async () => (await import('./commands/entity/bulk.ts')).bulkDelete),
  )
}

function addEntityFiles(entity: Command, builder: Builder): void {
  const { text, run, leaf } = builder
  withQuery(builder, leaf(entity, 'export <tag>', 'cli.entity.export'))
    .option('-o, --output <file>', text('cli.opt.output'))
    .option('--force', text('cli.opt.force'))
    .option('--format <format>', text('cli.opt.format'))
    .option('--reveal', text('cli.opt.reveal'))
    .option('--reason <text>', text('cli.opt.reason'))
    .action(run(async () => (await import('./commands/entity/files.ts')).exportRows))
  leaf(entity, 'template <tag>', 'cli.entity.template')
    .option('-o, --output <file>', text('cli.opt.output'))
    .option('--force', text('cli.opt.force'))
    .action(run(async () => (await import('./commands/entity/files.ts')).template))
  leaf(entity, 'import [tag] [file]', 'cli.entity.import')
    .option('--mode <mode>', text('cli.opt.mode'))
    .option('--key <field>', text('cli.opt.key'))
    .option('--sheet <name...>', text('cli.opt.sheet'))
    .option('--heading <row>', text('cli.opt.heading'))
    .option('--leave-hidden', text('cli.opt.leaveHidden'))
    .option('--on-error <choice>', text('cli.opt.onError'))
    .option('--empty <meaning>', text('cli.opt.empty'))
    .option('--dry-run', text('cli.opt.dryRun'))
    .option('--mapping <json>', text('cli.opt.mapping'))
    .option('--set <field=value...>', text('cli.opt.importSet'))
    .option('--join <headings=field...>', text('cli.opt.importJoin'))
    .option('--format <format>', text('cli.opt.inputFormat'))
    .option('--resume <job>', text('cli.opt.resume'))
    .option('--results <file>', text('cli.opt.results'))
    .option('--force', text('cli.opt.force'))
    .option('--only-wrong', text('cli.opt.onlyWrong'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/entity/import.ts')).importRows))
}

function addDesignCommands(program: Command, builder: Builder): void {
  const { text, run, group, leaf } = builder
  const design = group(program, 'design', 'cli.design')
  addTableCommands(design, builder)
  const withFolder = (command: Command) =>
    command.option('-d, --dir <folder>', text('cli.design.dir'), 'design')
  withFolder(leaf(design, 'pull [tags...]', 'cli.design.pull'))
    .option('--own', text('cli.design.own'))
    .action(run(async () => (await import('./commands/design/design.ts')).pullDesign))
  leaf(design, 'draft [tables...]', 'cli.design.draft')
    .option('--schema <name...>', text('cli.design.schema'))
    .option('-o, --output <folder>', text('cli.design.dir'), 'design')
    .option('--keep', text('cli.design.keep'))
    .option('--no-keep', text('cli.design.noKeep'))
    .option('--links', text('cli.design.links'))
    .option('--no-links', text('cli.design.noLinks'))
    .option('--school', text('cli.design.school'))
    .option('--no-school', text('cli.design.noSchool'))
    .option('--passwords', text('cli.design.passwords'))
    .option('--no-passwords', text('cli.design.noPasswords'))
    .action(run(async () => (await import('./commands/design/draft.ts')).draftDesign))
  leaf(design, 'adopt [tables...]', 'cli.design.adopt')
    .option('--schema <name...>', text('cli.design.schema'))
    .option('--match <pattern>', text('cli.design.match'))
    .option('--first <n>', text('cli.design.first'))
    .option('--keep', text('cli.design.keep'))
    .option('--links', text('cli.design.links'))
    .option('--school', text('cli.design.school'))
    .option('--passwords', text('cli.design.passwords'))
    .option('--name <name>', text('cli.design.sheetName'))
    .option('--tag <tag>', text('cli.design.sheetTag'))
    .option('--sheet <name>', text('cli.opt.sheet'))
    .option('--heading <row>', text('cli.opt.heading'))
    .option('--column <label=kind>', text('cli.design.sheetColumn'), repeat, [])
    .option('--dry-run', text('cli.design.sheetDry'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/design/adopt.ts')).adoptTables))
  withFolder(leaf(design, 'lint [tags...]', 'cli.design.lint'))
    .option('--offline', text('cli.design.offline'))
    .action(run(async () => (await import('./commands/design/design.ts')).lintDesign))
  leaf(design, 'prove', 'cli.design.prove').action(
    run(async () => (await import('./commands/design/prove.ts')).proveFlows),
  )
  leaf(design, 'move-cases <tag>', 'cli.design.moveCases')
    .option('--map <old=new>', text('cli.move.map'), repeat, [])
    .option('--note <text>', text('cli.flow.note'))
    .option('--dry-run', text('cli.move.dryRun'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/design/move-cases.ts')).moveCases))
  withFolder(leaf(design, 'diff [tags...]', 'cli.design.diff'))
    .option('--exit-code', text('cli.design.exitCode'))
    .action(run(async () => (await import('./commands/design/design.ts')).diffDesign))
  withFolder(leaf(design, 'apply [tags...]', 'cli.design.apply'))
    .option('--dry-run', text('cli.design.dryRun'))
    .option('--note <text>', text('cli.design.note'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('./commands/design/design.ts')).applyDesign))
}

function addStudentCommand(program: Command, { text, run, leaf }: Builder): void {
  const student = leaf(program, 'student', 'cli.student')
    .option('-o, --output <folder>', text('cli.opt.folder'))
    .action(run(async () => (await import('./commands/student.ts')).runStudentScreen))
  const load = () => import('./commands/student-application.ts')
  leaf(student, 'ls', 'cli.student.ls').action(run(async () => (await load()).listApplications))
  leaf(student, 'apply <tag>', 'cli.student.apply')
    .option('--set <field=value>', text('cli.opt.set'), repeat, [])
    .option('--attach <file>', text('cli.student.attach'), repeat, [])
    .option('--send <event>', text('cli.student.sendAfter'))
    .option('--note <text>', text('cli.flow.note'))
    .action(run(async () => (await load()).apply))
  leaf(student, 'show <tag> <id>', 'cli.student.show').action(
    run(async () => (await load()).showApplication),
  )
  leaf(student, 'send <tag> <id> <event>', 'cli.student.send')
    .option('--set <field=value>', text('cli.opt.set'), repeat, [])
    .option('--note <text>', text('cli.flow.note'))
    .action(run(async () => (await load()).sendApplication))
  leaf(student, 'messages', 'cli.student.messages')
    .option('--unread', text('cli.student.unread'))
    .option('--read', text('cli.student.read'))
    .action(run(async () => (await load()).listMessages))
}

function addJobCommands(program: Command, { text, run, group, leaf }: Builder): void {
  const job = group(program, 'job', 'cli.jobs')
  leaf(job, 'ls', 'cli.job.ls')
    .option('-p, --page <n>', text('cli.opt.page'), '1')
    .option('-a, --all', text('cli.job.everybody'))
    .action(run(async () => (await import('./commands/job.ts')).listJobs))
  leaf(job, 'watch <id>', 'cli.job.watch').action(
    run(async () => (await import('./commands/job.ts')).watchJob),
  )
  leaf(job, 'cancel <id>', 'cli.job.cancel').action(
    run(async () => (await import('./commands/job.ts')).cancelJob),
  )
}

function addMachineCommands(program: Command, { text, run, group, leaf }: Builder): void {
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
  leaf(machine, 'report [names...]', 'cli.machine.report')
    .requiredOption('-o, --output <dir>', text('cli.opt.folder'))
    .option('--result <file>', text('cli.report.result'))
    .option('--against <file>', text('cli.report.against'))
    .action(run(async () => (await import('./commands/machine-report.ts')).writeReport))
  leaf(machine, 'replay <path>', 'cli.machine.replay')
    .option('-s, --surface <name>', text('cli.replay.opt.surface'), 'web')
    .option('--headed', text('cli.replay.opt.headed'))
    .option('--slow <ms>', text('cli.replay.opt.slow'), '0')
    .option('--paths <file>', text('cli.replay.opt.paths'))
    .action(run(async () => (await import('./commands/machine-replay.ts')).replayPath))
}

/** The command that prints completion scripts, and the hidden one that those scripts call. */
function addCompletion(program: Command, { text, run, leaf }: Builder, signal: AbortSignal): void {
  leaf(program, 'completion', 'cli.completion')
    .addArgument(
      program
        .createArgument('<shell>', text('cli.completion.shell'))
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
}
