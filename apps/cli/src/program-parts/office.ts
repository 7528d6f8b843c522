import type { Command } from 'commander'
import { type Builder, withQuery, repeat } from './builder.ts'

/** Commands on records and documents that the console has as pages: history, recycle bin, orders, refunds. */
export function addOfficeCommands(program: Command, builder: Builder): void {
  addHistory(program, builder)
  addOrders(program, builder)
  addRefunds(program, builder)
  addDocuments(program, builder)
}

function addHistory(program: Command, { text, run, group, leaf }: Builder): void {
  leaf(program, 'history <tag> <id>', 'cli.history').action(
    run(async () => (await import('../commands/history.ts')).showHistory),
  )
  leaf(program, 'restore <tag> <ids...>', 'cli.restore')
    .option('--to <entry>', text('cli.restore.to'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/history.ts')).restoreRows))
  const recycle = group(program, 'recycle', 'cli.recycle')
  leaf(recycle, 'ls <tag>', 'cli.recycle.ls')
    .option('--search <text>', text('cli.recycle.search'))
    .option('-p, --page <n>', text('cli.opt.page'), '1')
    .action(run(async () => (await import('../commands/history.ts')).listRecycled))
  leaf(recycle, 'purge <tag> <ids...>', 'cli.recycle.purge')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/history.ts')).purgeRecycled))
}

function addOrders(program: Command, builder: Builder): void {
  const { text, run, group, leaf } = builder
  const order = group(program, 'order', 'cli.order')
  withQuery(builder, leaf(order, 'ls', 'cli.order.ls'))
    .option('-p, --page <n>', text('cli.opt.page'), '1')
    .option('-n, --size <n>', text('cli.opt.size'), '20')
    .option('--group <field>', text('cli.opt.group'))
    .option('--footer <field:figure>', text('cli.opt.footer'), repeat, [])
    .action(run(async () => (await import('../commands/payments.ts')).listOrders))
  leaf(order, 'show <number>', 'cli.order.show').action(
    run(async () => (await import('../commands/payments.ts')).showOrder),
  )
  leaf(order, 'cancel <number>', 'cli.order.cancel').action(
    run(async () => (await import('../commands/payments.ts')).cancelOrder),
  )
}

function addRefunds(program: Command, { text, run, group, leaf }: Builder): void {
  const refund = group(program, 'refund', 'cli.refunds')
  leaf(refund, 'ls', 'cli.refund.ls')
    .option('--state <state>', text('cli.refund.onlyState'))
    .option('-p, --page <n>', text('cli.opt.page'), '1')
    .action(run(async () => (await import('../commands/payments.ts')).listRefunds))
  leaf(refund, 'request <number>', 'cli.refund.request')
    .option('--reason <text>', text('cli.opt.reason'))
    .option('--amount <yuan>', text('cli.refund.part'))
    .action(run(async () => (await import('../commands/payments.ts')).requestRefund))
  leaf(refund, 'approve <id>', 'cli.refund.approve').action(
    run(async () => (await import('../commands/payments.ts')).approveRefund),
  )
  leaf(refund, 'reject <id>', 'cli.refund.reject')
    .option('--note <text>', text('cli.flow.note'))
    .action(run(async () => (await import('../commands/payments.ts')).rejectRefund))
}

function addDocuments(program: Command, { text, run, leaf }: Builder): void {
  leaf(program, 'revoke <number>', 'cli.revoke')
    .option('--reason <text>', text('cli.opt.reason'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/documents.ts')).revokeDocument))
  leaf(program, 'verify <file>', 'cli.verify')
    .option('--code <code>', text('cli.verify.code'))
    .action(run(async () => (await import('../commands/documents.ts')).verifyFile))
}
