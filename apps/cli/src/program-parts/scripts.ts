import type { Command } from 'commander'
import { type Builder, repeat, withQuery } from './builder.ts'

/** Commands that scripts need besides those on records: calls of the API, views, roles, passwords. */
export function addScriptCommands(program: Command, builder: Builder): void {
  const { text, run, group, leaf } = builder
  leaf(program, 'api <method> <path>', 'cli.api')
    .option('-f, --field <name=value>', text('cli.api.field'), repeat, [])
    .option('-H, --header <name:value>', text('cli.api.header'), repeat, [])
    .option('--input <file>', text('cli.api.input'))
    .option('-o, --output <file>', text('cli.opt.output'))
    .option('--force', text('cli.opt.force'))
    .action(run(async () => (await import('../commands/api.ts')).callApi))
  addViews(program, builder)
  addHooks(program, builder)
  addTokens(program, builder)
  addAgents(program, builder)
  addUsers(program, builder)
  const role = group(program, 'role', 'cli.role')
  leaf(role, 'show <code>', 'cli.role.show').action(
    run(async () => (await import('../commands/role.ts')).showRole),
  )
  leaf(role, 'grant <code> <permissions...>', 'cli.role.grant')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/role.ts')).grantRole))
  leaf(role, 'withdraw <code> <permissions...>', 'cli.role.withdraw')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/role.ts')).withdrawRole))
}

function addHooks(program: Command, { text, run, group, leaf }: Builder): void {
  const hook = group(program, 'hook', 'cli.hook')
  leaf(hook, 'ls', 'cli.hook.ls').action(
    run(async () => (await import('../commands/hook.ts')).listHooks),
  )
  leaf(hook, 'add <tag> <url>', 'cli.hook.add')
    .option('--events <names>', text('cli.hook.events'))
    .option('--name <text>', text('cli.hook.name'))
    .action(run(async () => (await import('../commands/hook.ts')).addHook))
  leaf(hook, 'rm <id>', 'cli.hook.rm')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/hook.ts')).removeHook))
  leaf(hook, 'deliveries <id>', 'cli.hook.deliveries')
    .option('--state <state>', text('cli.hook.state'))
    .option('-p, --page <n>', text('cli.opt.page'), '1')
    .action(run(async () => (await import('../commands/hook.ts')).listDeliveries))
  leaf(hook, 'repeat <delivery>', 'cli.hook.repeat').action(
    run(async () => (await import('../commands/hook.ts')).repeatDelivery),
  )
}

function addTokens(program: Command, { text, run, group, leaf }: Builder): void {
  const token = group(program, 'token', 'cli.token')
  leaf(token, 'ls', 'cli.token.ls').action(
    run(async () => (await import('../commands/token.ts')).listTokens),
  )
  leaf(token, 'create <name>', 'cli.token.create')
    .option('--entity <tag>', text('cli.token.entity'), repeat, [])
    .option('--rights <names>', text('cli.token.rights'), 'read')
    .option('--days <n>', text('cli.token.days'), '90')
    .option('--rate <n>', text('cli.token.rate'))
    .action(run(async () => (await import('../commands/token.ts')).createToken))
  leaf(token, 'revoke <id>', 'cli.token.revoke')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/token.ts')).revokeToken))
}

function addAgents(program: Command, { text, run, group, leaf }: Builder): void {
  leaf(program, 'mcp', 'cli.mcp').action(
    run(async () => (await import('../commands/mcp.ts')).serveAgent),
  )
  const proposal = group(program, 'proposal', 'cli.proposal')
  leaf(proposal, 'ls', 'cli.proposal.ls').action(
    run(async () => (await import('../commands/proposal.ts')).listProposals),
  )
  leaf(proposal, 'show <id>', 'cli.proposal.show').action(
    run(async () => (await import('../commands/proposal.ts')).showProposal),
  )
  leaf(proposal, 'confirm <id>', 'cli.proposal.confirm')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/proposal.ts')).confirmProposal))
  leaf(proposal, 'refuse <id>', 'cli.proposal.refuse').action(
    run(async () => (await import('../commands/proposal.ts')).refuseProposal),
  )
}

function addUsers(program: Command, { text, run, group, leaf }: Builder): void {
  const user = group(program, 'user', 'cli.user')
  leaf(user, 'import <file>', 'cli.user.import')
    .option('-o, --output <file>', text('cli.user.output'))
    .option('--force', text('cli.opt.force'))
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/user.ts')).importUsers))
  leaf(user, 'password <account>', 'cli.user.password')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/user.ts')).resetPassword))
}

function addViews(program: Command, builder: Builder): void {
  const { text, run, group, leaf } = builder
  const view = group(program, 'view', 'cli.viewGroup')
  leaf(view, 'ls <tag>', 'cli.views').action(
    run(async () => (await import('../commands/entity/views.ts')).listViews),
  )
  withQuery(builder, leaf(view, 'save <tag> <name>', 'cli.view.save'))
    .option('-n, --size <n>', text('cli.opt.size'))
    .option('--group <field>', text('cli.opt.group'))
    .option('--having <condition>', text('cli.opt.having'), repeat, [])
    .option('--order-groups <order>', text('cli.opt.orderGroups'))
    .option('--cross <field>', text('cli.opt.cross'))
    .option('--footer <field:figure>', text('cli.opt.footer'), repeat, [])
    .option('--role <name>', text('cli.view.forRole'))
    .option('--everyone', text('cli.view.forAll'))
    .option('--default', text('cli.view.asDefault'))
    .action(run(async () => (await import('../commands/view.ts')).saveView))
  leaf(view, 'rm <tag> <name>', 'cli.view.rm')
    .option('-y, --yes', text('cli.opt.yes'))
    .action(run(async () => (await import('../commands/view.ts')).removeView))
}
