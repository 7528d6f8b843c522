export { type Answers, contractHandlers, type MockRequest, type Otherwise } from './handlers.ts'
export { mockFetch } from './mock-fetch.ts'
export { refuseWith, Refused } from './refused.ts'
