export { type Answers, contractHandlers, type MockRequest, type Otherwise } from './handlers.ts'
export { mockFetch } from './mock-fetch.ts'
export { refuse, Refused } from './refused.ts'
