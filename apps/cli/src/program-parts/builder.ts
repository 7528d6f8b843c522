import type { Locale } from '@jiaowu/api/locale'
import { ApiProblem } from '@jiaowu/api/problem'
import { t, type TextKey } from '@jiaowu/api/texts/index'
import type { Command } from 'commander'
import { type CommandLine, commandLine, type GlobalFlags } from '../command-line.ts'

type Service<A extends unknown[]> = (line: CommandLine, ...args: A) => Promise<void>
type PlainKey = Extract<TextKey, `cli.${string}`>

/** Means that the parts of the program build their commands with. */
export interface Builder {
  readonly text: (key: PlainKey) => string
  /** Action of a command: loads its module, then runs it. */
  readonly run: <A extends unknown[]>(
    load: () => Promise<Service<A>>,
  ) => (...args: unknown[]) => Promise<void>
  /** A command that only groups others. */
  readonly group: (parent: Command, name: string, key: PlainKey) => Command
  /** A command with an action. */
  readonly leaf: (parent: Command, usage: string, key: PlainKey) => Command
}

export function createBuilder(locale: Locale, signal: AbortSignal): Builder {
  const text = (key: PlainKey) => (t as (locale: Locale, key: PlainKey) => string)(locale, key)
  return {
    text,
    run:
      (load) =>
      async (...args) => {
        const command = args.pop() as Command
        const service = await load()
        const line = commandLine(command.optsWithGlobals<GlobalFlags>(), signal)
        try {
          await service(line, ...(args as never))
        } catch (error) {
          await explainMissing(line, command, args[0], error)
          throw error
        } finally {
          await line.output.finish()
        }
      },
    group: (parent, name, key) =>
      parent.command(name).description(text(key)).exitOverride().showHelpAfterError(),
    leaf: (parent, usage, key) =>
      withGlobalFlags({ text }, parent.command(usage).description(text(key))),
  }
}

/** Adds the flags of every command, which may come before or after the command's own arguments. */
export function withGlobalFlags({ text }: Pick<Builder, 'text'>, command: Command): Command {
  return command
    .exitOverride()
    .showHelpAfterError()
    .option('--server <url>', text('cli.server'))
    .option('--profile <name>', text('cli.profile'))
    .option('--json', text('cli.json'))
    .option('--jq <filter>', text('cli.jq'))
    .option('--template <text>', text('cli.template'))
    .option('--lang <code>', text('cli.lang'))
}

/** @throws CommandError with a suggestion, where a mistyped tag is why something was not found */
async function explainMissing(
  line: CommandLine,
  { registeredArguments: [first] }: Command,
  tag: unknown,
  error: unknown,
): Promise<void> {
  const isMissing = error instanceof ApiProblem && error.problem.code === 404
  if (!isMissing || first?.name() !== 'tag' || typeof tag !== 'string') return
  const { refuseUnknownTag } = await import('../entities/suggest-tag.ts')
  await refuseUnknownTag(line, tag)
}

/** Collects the values of an option that may be given several times. */
export function repeat(value: string, all: string[]): string[] {
  return [...all, value]
}

/** The options of a list: filters, sorting, columns, a view, and what changed since when. */
export function withQuery({ text }: Pick<Builder, 'text'>, command: Command): Command {
  return command
    .option('-f, --filter <field=value>', text('cli.opt.filter'), repeat, [])
    .option('-s, --sort <columns>', text('cli.opt.sort'))
    .option('-c, --columns <names>', text('cli.opt.columns'))
    .option('--view <name>', text('cli.opt.view'))
    .option('--where <json>', text('cli.opt.whereJson'))
    .option('--since <time>', text('cli.opt.since'))
    .option('--changed-after <file>', text('cli.opt.changedAfter'))
}
