import { group } from './group.ts'

export const fieldTexts = group({
})
