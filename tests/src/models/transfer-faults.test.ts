import { transferMachine, transferView } from '@jiaowu/machines'
import { expect, test } from 'vitest'
import { bare, type Spec } from '../model/index.ts'
import { type Cell, faultMatrix, faultNames, portsOf } from './fault-matrix.ts'
import { transferModels, type TransferSeen } from './transfer.model.ts'

const silent = {
  recall: 'what was chosen the last time is a help, not a need: the history says that it could not be read',
  cancelJob: 'said in a toast, and the job is where it was',
  saveFile: 'said in a toast beside whatever is going on',
}

/** A concern leaves out what a person does after a fault; here it is what matters. */
const withWaysOn = (spec: Spec<TransferSeen>): Spec<TransferSeen> => ({ ...spec, sneak: [], events: { ...spec.events, 'transfer.retry': bare } })

test('every call of an import and export meets every fault: a message of its own and a way on', async () => {
  const cells: Cell[] = []
  for (const part of Object.values(transferModels.parts)) cells.push(...await faultMatrix(withWaysOn(part), ({ snapshot }) => transferView(snapshot as never).problem, silent))
  console.log(`${transferMachine.id}: ${portsOf(transferMachine).length} ports x ${faultNames.length} faults in ${new Set(cells.map(({ port, state }) => port + state)).size} states`)
  for (const port of portsOf(transferMachine)) expect(faultNames.filter((fault) => !cells.some((cell) => cell.port === port && cell.fault === fault)), port).toEqual([])
})
