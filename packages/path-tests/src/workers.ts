export { mutateInWorkers, type WorkerOptions } from './mutate/mutate-in-workers.ts'
