import type { Command, Option } from 'commander'
import { type CommandLine, commandLine, type GlobalFlags } from '../command-line.ts'
import {
  buttonNames,
  entityNames,
  eventNames,
  fieldNames,
  type Named,
  viewNames,
} from '../session/name-cache.ts'

/** The words before the one being typed, parsed. */
interface Typed {
  readonly command: Command
  readonly operands: readonly string[]
  readonly flags: Readonly<Record<string, string>>
  readonly waiting: Option | null
}

const takesValue = (option: Option) => option.required || option.optional

/** Values that are known without asking the server. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  lang: ['zh-CN', 'en'],
  format: ['xlsx', 'csv', 'ndjson'],
  mode: ['insert', 'update', 'upsert'],
  onError: ['abort', 'skip'],
  empty: ['keep', 'clear', 'default'],
  mine: ['open', 'started', 'decided', 'copied'],
  way: ['before', 'after', 'beside'],
}

/**
 * Prints completions of the last word, one a line, with a description after a tab. A failure prints
 * nothing, since it would disturb the user's typing; the shell then offers files.
 */
export async function complete(
  program: Command,
  shell: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const current = words.at(-1) ?? ''
  const found = await candidates(program, words.slice(0, -1), current, signal).catch(
    (): Named[] => [],
  )
  for (const { value, about } of found)
    if (value.startsWith(current))
      process.stdout.write(shell === 'bash' || about === '' ? `${value}\n` : `${value}\t${about}\n`)
}

async function candidates(
  program: Command,
  words: readonly string[],
  current: string,
  signal: AbortSignal,
): Promise<readonly Named[]> {
  const typed = walk(program, words)
  const { command, waiting } = typed
  const line = () => commandLine(typed.flags as GlobalFlags, signal)
  if (waiting !== null) return listOptionValues(waiting.attributeName(), typed, current, line)
  if (current.startsWith('-')) return listOptions(command)
  if (command.commands.length > 0) return listCommands(command)
  return listOperands(typed, line)
}

/** Values of an option. */
async function listOptionValues(
  option: string,
  { command, operands: [tag] }: Typed,
  current: string,
  line: () => CommandLine,
): Promise<readonly Named[]> {
  if (option === 'profile')
    return Object.entries(line().sessions.profiles()).map(([value, { server }]) => ({
      value,
      about: server,
    }))
  if (fixed[option] !== undefined) return fixed[option].map((value) => ({ value, about: '' }))
  if (command.parent?.name() !== 'entity' || tag === undefined) return []
  switch (option) {
    case 'filter':
    case 'set':
      return current.includes('=')
        ? []
        : (await fieldNames(line(), tag)).map(({ value, about }) => ({ value: `${value}=`, about }))
    case 'sort':
    case 'columns':
      return completeListed(await fieldNames(line(), tag), current)
    case 'view':
      return viewNames(line(), tag)
    case 'key':
      return fieldNames(line(), tag)
    default:
      return []
  }
}

/** Values of the next operand. */
async function listOperands(
  { command, operands }: Typed,
  line: () => CommandLine,
): Promise<readonly Named[]> {
  const { registeredArguments: known } = command
  const argument = known[Math.min(operands.length, known.length - 1)]
  if (argument === undefined || (operands.length >= known.length && !argument.variadic)) return []
  if (argument.argChoices !== undefined)
    return argument.argChoices.map((value) => ({ value, about: '' }))
  const [name, group, [tag, id]] = [argument.name(), command.parent?.name(), operands]
  if ((group === 'entity' || group === 'design' || group === 'flow') && name.startsWith('tag'))
    return entityNames(line())
  if (group === 'entity' && name === 'button' && tag !== undefined) return buttonNames(line(), tag)
  if (group === 'flow' && name === 'event' && tag !== undefined && id !== undefined)
    return eventNames(line(), tag, id)
  if (group === 'machine')
    return (await import('./machine.ts')).machineNames().map((value) => ({ value, about: '' }))
  return group === 'profile'
    ? Object.keys(line().sessions.profiles()).map((value) => ({ value, about: '' }))
    : []
}

/** Parses the words like the program: subcommands, options with their values, operands. */
function walk(program: Command, words: readonly string[]): Typed {
  let command = program
  let waiting: Option | null = null
  const operands: string[] = []
  const flags: Record<string, string> = {}
  for (const word of words) {
    if (waiting !== null) {
      flags[waiting.attributeName()] = word
      waiting = null
      continue
    }
    if (word.startsWith('-')) {
      const [name, value] = word.split('=', 2)
      const option = command.options.find(({ long, short }) => long === name || short === name)
      if (option === undefined) continue
      if (value !== undefined) flags[option.attributeName()] = value
      else if (takesValue(option)) waiting = option
      continue
    }
    const next =
      operands.length === 0
        ? command.commands.find((each) => each.name() === word || each.aliases().includes(word))
        : undefined
    if (next !== undefined) command = next
    else operands.push(word)
  }
  return { command, operands, flags, waiting }
}

/**
 * Completes the name after the last comma of `--columns` or `--sort`, keeping the names before it.
 */
function completeListed(names: readonly Named[], typed: string, end = ''): Named[] {
  const done = typed.slice(0, typed.lastIndexOf(',') + 1)
  return names.map(({ value, about }) => ({ value: `${done}${value}${end}`, about }))
}

function listOptions(command: Command): Named[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap((option) =>
      option.long === undefined ? [] : [{ value: option.long, about: option.description }],
    )
}

function listCommands(command: Command): Named[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => !isHiddenCommand(each))
    .map((each) => ({ value: each.name(), about: each.description() }))
}

function isHiddenCommand(command: Command) {
  return (command as Command & { readonly _hidden?: boolean })._hidden === true
}
