// The worker thread: drawing and signing take tens of milliseconds of CPU, which would delay every
// other request.
import { parentPort } from 'node:worker_threads'
import { draw, type FromDrawer, type ToDrawer } from './draw-job.ts'
import { MissingGlyphs } from '../pdf/render.ts'

function postFromDrawer(message: FromDrawer, transfer: ArrayBuffer[] = []) {
  return parentPort?.postMessage(message, transfer)
}

parentPort?.on('message', ({ id, job }: ToDrawer) => {
  draw(job).then(
    (drawn) => {
      const bytes = new Uint8Array(drawn) // a Buffer may share its memory with other Buffers
      postFromDrawer({ id, bytes }, [bytes.buffer])
    },
    (error: unknown) =>
      postFromDrawer(
        error instanceof MissingGlyphs
          ? { id, missing: error.characters }
          : {
              id,
              failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
            },
      ),
  )
})
