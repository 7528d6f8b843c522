/** Rounds of queues, which tests run by themselves. */
export { sendDue } from '../src/platform/notices/send.ts'
export { stopQueue } from '../src/platform/jobs/queues.ts'
