import { group } from './group.ts'

export const entityTexts = group({
})
