/** Rounds of queues, which tests run by themselves. */
export { fireDue } from '../src/entities/flow/fire.ts'
export { proveDue } from '../src/entities/flow/proofs.ts'
export { sendDue } from '../src/platform/notices/send.ts'
export { stopQueue } from '../src/platform/jobs/queues.ts'
