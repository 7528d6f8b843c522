import { group } from './group.ts'

export const attachmentTexts = group({
  'attachment.badType': ['不支持的文件类型', 'This kind of file is not accepted'],
  'attachment.tooLarge': ['文件不能超过 20 MB', 'Files may be at most 20 MB'],
  'attachment.imageTooLarge': ['图片不能超过 5 MB', 'Pictures may be at most 5 MB'],
  'attachment.tooManyOnRow': ['每条记录最多 {max} 个附件', 'At most {max} files on one record'],
  'attachment.quota': ['今日上传已达上限', 'The upload limit for today is reached'],
  'attachment.zipName': ['下载文件.zip', 'download file.zip'],
  'attachment.ticketExpired': ['链接已失效', 'The link has expired'],
})
