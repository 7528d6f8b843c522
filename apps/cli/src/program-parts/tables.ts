import type { Command } from 'commander'
import { type Builder, repeat } from './builder.ts'

/** Commands of `design table`: columns and tables that the product makes. */
export function addTableCommands(design: Command, { text, run, group, leaf }: Builder): void {
  const table = group(design, 'table', 'cli.table')
  const load = () => import('../commands/design/table.ts')
  const withAsking = (command: Command) =>
    command.option('--dry-run', text('cli.table.dryRun')).option('-y, --yes', text('cli.opt.yes'))
  const withColumns = (command: Command) =>
    withAsking(command)
      .option('--column <label=kind>', text('cli.table.column'), repeat, [])
      .option('--required <label>', text('cli.table.required'), repeat, [])
      .option('--unique <label>', text('cli.table.unique'), repeat, [])
      .option('--default <label=value>', text('cli.table.default'), repeat, [])
  leaf(table, 'show <tag>', 'cli.table.show').action(run(async () => (await load()).showTable))
  withColumns(leaf(table, 'new <name>', 'cli.table.new'))
    .option('--tag <tag>', text('cli.design.sheetTag'))
    .action(run(async () => (await load()).makeTable))
  withColumns(leaf(table, 'add <tag>', 'cli.table.add')).action(
    run(async () => (await load()).addTableColumns),
  )
  withAsking(leaf(table, 'archive <tag> <column>', 'cli.table.archive')).action(
    run(async () => (await load()).archiveTableColumn),
  )
  withAsking(leaf(table, 'restore <tag> <column>', 'cli.table.restore')).action(
    run(async () => (await load()).restoreTableColumn),
  )
  withAsking(leaf(table, 'drop <tag> <column>', 'cli.table.drop')).action(
    run(async () => (await load()).dropTableColumn),
  )
  withAsking(leaf(table, 'undo <tag> [change]', 'cli.table.undo')).action(
    run(async () => (await load()).undoTableChange),
  )
  withAsking(leaf(table, 'take-back <tag>', 'cli.table.takeBack')).action(
    run(async () => (await load()).takeTableBack),
  )
}
