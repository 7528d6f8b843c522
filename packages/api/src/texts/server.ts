import { group } from './group.ts'

export const serverTexts = group({
})
