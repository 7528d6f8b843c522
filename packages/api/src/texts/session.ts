import { group } from './group.ts'

export const sessionTexts = group({
})
