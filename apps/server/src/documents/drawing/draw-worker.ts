// The thread pages are drawn and signed in: tens of milliseconds of pure computing that would hold up every other answer.
import { parentPort } from 'node:worker_threads'
import { draw, type FromDrawer, type ToDrawer } from './draw-job.ts'
import { MissingGlyphs } from '../pdf/render.ts'

function tell(message: FromDrawer, transfer: ArrayBuffer[] = []) {
  return parentPort?.postMessage(message, transfer)
}

parentPort?.on('message', ({ id, job }: ToDrawer) => {
  draw(job).then(
    (drawn) => {
      const bytes = new Uint8Array(drawn) // a Buffer may share its memory with others
      tell({ id, bytes }, [bytes.buffer])
    },
    (error: unknown) =>
      tell(
        error instanceof MissingGlyphs
          ? { id, missing: error.characters }
          : {
              id,
              failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
            },
      ),
  )
})
