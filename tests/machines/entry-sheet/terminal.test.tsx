import { coverEdges } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { entryModels } from './model.ts'
import { entryOnTerminal, entryTerminal } from './terminal.tsx'

/** Pressed by `tests/cli/entry.test.ts`. */
const leaves = 'leaves the command: not an event of the machine'
const { address } = entryModels.parts

gateTerminal(
  { address: entryOnTerminal({ ...(address as unknown as Spec<unknown>), unhandled: [] }) },
  entryTerminal,
  {
    few: coverEdges,
    survivors: {
      '加载中… esc 离开': leaves,
      '高等数学 · 第一学期 esc 离开': leaves,
      'no 0 esc 离开': leaves,
    },
  },
)
