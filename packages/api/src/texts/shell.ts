import { group } from './group.ts'

export const shellTexts = group({
})
