import { group } from '../group.ts'

/** Answers of the server about imports. */
export const transferServerTexts = group({
  'transfer.file.notXlsx': [
    '文件不是有效的 Excel 工作簿（.xlsx）',
    'The file is no Excel workbook (.xlsx)',
  ],
  'transfer.file.hostile': [
    '文件结构异常，已拒绝读取',
    'The file is built in a way no spreadsheet program builds it; it was refused',
  ],
  'transfer.file.broken': ['文件已损坏，无法读取', 'The file is damaged and cannot be read'],
  'transfer.file.tooLarge': ['文件过大', 'The file is too large'],
  'transfer.file.tooComplex': [
    '文件过于复杂，无法在限定的时间或内存内读完',
    'The file is too complex to be read within the limits of time and memory',
  ],
  'transfer.file.tooManyRows': [
    '最多导入 {n} 行，请分成几个文件',
    'At most {n} rows can be imported; please split the file',
  ],
  'transfer.file.tooManyColumns': ['最多 {n} 列', 'At most {n} columns'],
  'transfer.file.noSheet': ['工作簿中没有可见的工作表', 'The workbook has no visible sheet'],
  'transfer.file.encoding': [
    '无法识别文件的文字编码，请另存为 UTF-8',
    'The text encoding is not known; please save the file as UTF-8',
  ],
  'transfer.file.line': ['第 {row} 行不是 JSON 对象', 'Line {row} is no JSON object'],
  'transfer.file.type': [
    '只能导入 xlsx、csv 和 ndjson 文件',
    'Only xlsx, csv and ndjson files can be imported',
  ],
  'transfer.file.empty': ['文件中没有数据行', 'The file has no rows of data'],
  'transfer.file.noHeader': [
    '没有找到表头：没有任何一列能与字段对应',
    'No heading was found: no column matches a field',
  ],
  'transfer.file.otherEntity': [
    '此文件是为“{made}”制作的，不能导入到“{wanted}”',
    'This file was made for "{made}" and cannot be imported into "{wanted}"',
  ],
  'transfer.file.unknownColumns': [
    '以下列无法对应到字段：{columns}。请修改表头或指定列映射',
    'These columns match no field: {columns}. Please change the heading or assign them',
  ],
  'transfer.file.twice': [
    '多列对应到同一字段：{columns}',
    'Several columns are assigned to the same field: {columns}',
  ],
  'transfer.file.missing': ['缺少必填列：{columns}', 'Required columns are missing: {columns}'],
  'transfer.file.keyColumn': [
    '文件中没有用于匹配的列“{column}”',
    'The file has no column "{column}" to match records by',
  ],
  'transfer.file.keyNeeded': [
    '请选择用于匹配已有记录的字段',
    'Please choose the field by which records are matched',
  ],
  'transfer.file.gone': [
    '上传的文件已被清理，请重新上传',
    'The uploaded file has been cleared away; please upload it again',
  ],
  'transfer.note.otherSheets': [
    '只读取第一个工作表，其余未读取：{sheets}',
    'Only the first sheet is read; not read: {sheets}',
  ],
  'transfer.note.oldTemplate': [
    '此模板生成后字段定义有过修改，请核对',
    'The fields were changed after this template was made; please check',
  ],
  'transfer.note.skippedColumns': [
    '以下列不会导入：{columns}',
    'These columns are not imported: {columns}',
  ],
  'transfer.rule.formula': [
    '单元格是公式，请粘贴为数值后再导入',
    'The cell is a formula; please paste its value instead',
  ],
  'transfer.rule.errorCell': ['单元格是错误值', 'The cell holds an error'],
  'transfer.rule.tooLong': ['单元格内容超过 {n} 个字符', 'The cell has more than {n} characters'],
  'transfer.rule.precision': [
    '数字超过 15 位，Excel 已丢失末尾数字，请将该列设为文本格式后重新填写',
    'A number of more than 15 digits has lost its last ones in the spreadsheet; format the column as text and fill it in again',
  ],
  'transfer.rule.dateInText': [
    '该单元格被表格软件转成了日期，请将该列设为文本格式后重新填写',
    'The spreadsheet turned this cell into a date; format the column as text and fill it in again',
  ],
  'transfer.rule.noSuchItem': ['“{value}”不在可选项中', '"{value}" is not among the choices'],
  'transfer.rule.ambiguous': [
    '有多条名为“{value}”的记录，请改填编号',
    'Several records are called "{value}"; please give the number instead',
  ],
  'transfer.rule.duplicate': ['与第 {row} 行重复', 'Same as row {row}'],
  'transfer.rule.keyEmpty': ['匹配字段为空', 'The matching field is empty'],
  'transfer.rule.noRecord': ['没有找到对应的记录', 'There is no such record'],
  'transfer.rule.exists': ['记录已存在', 'The record exists already'],
  'transfer.rule.changed': [
    '检查之后该记录被他人修改过',
    'Somebody changed the record after it was checked',
  ],
  'transfer.rule.scope': ['该记录不在您的数据范围内', 'The record lies outside your data'],
  'transfer.rule.refused': ['数据库拒绝了该行', 'The database refused the row'],
  'transfer.job.invalid': [
    '有 {n} 行不正确，没有写入任何数据',
    '{n} rows are wrong; nothing was written',
  ],
  'transfer.job.review': ['检查完毕，等待确认', 'Checked; waiting for your word'],
  'transfer.job.mapping': ['请核对各列对应的字段', 'Please check which field each column is'],
  'transfer.job.confirm': [
    '这些是系统自身的数据，请核对后确认导入',
    "These are the system's own records; please check, then confirm",
  ],
  'transfer.job.interrupted': ['服务中断，可继续', 'The service was interrupted; it can go on'],
  'transfer.job.gaveUp': ['多次中断，已停止', 'Stopped after several interruptions'],
  'transfer.job.fault': [
    '系统内部错误，请重试或联系管理员',
    'Internal error; try again or ask the administrator',
  ],
  'transfer.job.noRight': [
    '您已没有导入所需的权限',
    'You no longer have the permission this import needs',
  ],
  'transfer.job.cancelled': ['已取消', 'Cancelled'],
  'transfer.job.over': ['任务已结束', 'The job is over'],
  'transfer.job.started': [
    '已开始写入，不能再更改选项',
    'Writing has begun; the choices can no longer be changed',
  ],
  'transfer.job.tooMany': [
    '您有未完成的导入任务，请稍后再试',
    'You have imports under way; please try again later',
  ],
  'transfer.job.notReady': ['任务尚未结束', 'The job is not over yet'],
  'transfer.job.stale': [
    '数据在检查后发生了变化，没有写入任何数据',
    'Data changed after the check; nothing was written',
  ],
  'transfer.result': ['结果', 'Result'],
  'transfer.reason': ['原因', 'Reason'],
  'transfer.verdict.inserted': ['已新增', 'Added'],
  'transfer.verdict.updated': ['已更新', 'Updated'],
  'transfer.verdict.same': ['无变化', 'Unchanged'],
  'transfer.verdict.wrong': ['失败', 'Failed'],
  'transfer.verdict.fresh': ['可新增', 'Would be added'],
  'transfer.verdict.changed': ['可更新', 'Would be updated'],
  'transfer.verdict.unwritten': ['未写入', 'Not written'],
  'transfer.didYouMean': ['您是否要填：{items}？', 'Did you mean: {items}?'],
  'transfer.resultName': ['{name}-导入结果', '{name}-import-result'],
  'transfer.export.busy': [
    '您有一个导出正在进行，请等它结束',
    'One of your exports is still running; please wait for it to end',
  ],
})
