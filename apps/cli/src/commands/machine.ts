import { t } from '@jiaowu/api/texts/index'
import { machines } from '@jiaowu/machines/table'
import { buildMachineGraph, toMermaid } from '@jiaowu/path-tests/graph'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AnyStateMachine } from 'xstate'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'

export const machineNames = (): readonly string[] => Object.keys(machines)

/** `machine ls`: the machines of the product with their numbers of states and transitions. */
export function listMachines({ output, locale }: CommandLine): Promise<void> {
  const records = Object.entries<AnyStateMachine>(machines).map(([name, machine]) => {
    const { states, transitions } = buildMachineGraph(machine)
    return { name, states: states.length, transitions: transitions.length }
  })
  output.rows(records, () => ({
    heads: [
      t(locale, 'cli.col.name'),
      t(locale, 'cli.col.states'),
      t(locale, 'cli.col.transitions'),
    ],
    cells: records.map((each) => [each.name, String(each.states), String(each.transitions)]),
  }))
  return Promise.resolve()
}

/** `machine graph NAME`: a Mermaid diagram; with `--json`, states and transitions as data. */
export function printGraph(line: CommandLine, name: string): Promise<void> {
  const [, machine] = machineNamed(line, name)
  line.output.data(line.output.json ? buildMachineGraph(machine) : null, () => [
    toMermaid(machine).trimEnd(),
  ])
  return Promise.resolve()
}

function machineNamed(
  { locale }: CommandLine,
  name: string,
): readonly [name: string, machine: AnyStateMachine] {
  const camel = name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
  const found = Object.entries<AnyStateMachine>(machines).find(([each]) => each === camel)
  if (found === undefined)
    throw new CommandError(exitCodes.refused, t(locale, 'cli.noMachine', { name }))
  return found
}

/**
 * The generator needs the samples of the tests, which only the repository has, not an installed
 * command.
 */
const generator = fileURLToPath(new URL('../../../tests/machines/print-paths.ts', import.meta.url))

/** `machine paths NAME`: the generated test paths as JSON; of an entity's tag, those of its flow as steps. */
export async function printPaths(line: CommandLine, name: string): Promise<void> {
  if (/^[A-Z][A-Z0-9]*_\w+$/.test(name)) {
    const { printFlowPaths } = await import('./flow.ts')
    await printFlowPaths(line, name)
    return
  }
  const [known] = machineNamed(line, name)
  if (!existsSync(generator))
    throw new CommandError(exitCodes.refused, t(line.locale, 'cli.needRepository'))
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, [generator, known], {
      stdio: ['ignore', 'pipe', 'inherit'],
      signal: line.signal,
    })
    // A closed pipe (`| head`) ends this command without an error; the child has no pipe of its own to lose.
    child.stdout.pipe(process.stdout, { end: false })
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new CommandError(exitCodes.fault, t(line.locale, 'cli.fault'))
}
