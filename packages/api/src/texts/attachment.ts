import { group } from './group.ts'

export const attachmentTexts = group({
})
