export { type Answers, contractHandlers, type MockRequest } from './handlers.ts'
export { mockFetch } from './mock-fetch.ts'
export { refuse, Refused } from './refused.ts'
