import { group } from '../group.ts'

/** Answers of the server about imports. */
export const transferServerTexts = group({
  'transfer.file.notXlsx': [
    '文件不是有效的 Excel 工作簿（.xlsx），请用 Excel 或 WPS 打开后另存为 .xlsx',
    'The file is no valid Excel workbook (.xlsx); open it in Excel or WPS and save it as .xlsx',
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
  'transfer.file.tooManySheets': [
    '工作簿的工作表太多，最多 {n} 个；请把要导入的工作表另存为单独的文件',
    'The workbook has too many sheets, at most {n}; save the sheets to import as a file of their own',
  ],
  'transfer.file.noSheet': ['工作簿中没有可见的工作表', 'The workbook has no visible sheet'],
  'transfer.file.onlyHidden': [
    '看得见的工作表都是空的，只有隐藏的工作表有内容：{sheets}。请在表格软件中取消隐藏后重新上传，或在终端中用 --sheet 指定它',
    'The visible sheets are empty; only hidden ones have rows: {sheets}. Unhide them in the spreadsheet and upload the file again, or name one with --sheet in the terminal',
  ],
  'transfer.file.encoding': [
    '文件中有字符不符合识别出的文字编码，请选择编码，或另存为 UTF-8',
    'Some characters do not fit the encoding that was found; please choose one, or save the file as UTF-8',
  ],
  'transfer.file.line': ['第 {row} 行不是 JSON 对象', 'Line {row} is no JSON object'],
  'transfer.file.type': [
    '不是表格文件。可以导入 .xlsx、.xlsm、.csv、.tsv、.txt 和 .ndjson',
    'This is no sheet. Files of .xlsx, .xlsm, .csv, .tsv, .txt and .ndjson can be imported',
  ],
  'transfer.kind.xls': [
    '这是旧版 Excel 文件（.xls）。请用 Excel 或 WPS 打开，选“文件 → 另存为”，类型选“Excel 工作簿（*.xlsx）”，再导入',
    'This is a file of old Excel (.xls); open it in Excel or WPS, choose File > Save As with the type Excel Workbook (*.xlsx), and import that',
  ],
  'transfer.kind.et': [
    '这是 WPS 表格文件（.et）。请用 Excel 或 WPS 打开，选“文件 → 另存为”，类型选“Excel 工作簿（*.xlsx）”，再导入',
    'This is a WPS spreadsheet (.et); open it in Excel or WPS, choose File > Save As with the type Excel Workbook (*.xlsx), and import that',
  ],
  'transfer.kind.ods': [
    '这是 OpenDocument 文件（.ods）。请用 Excel 或 WPS 打开，选“文件 → 另存为”，类型选“Excel 工作簿（*.xlsx）”，再导入',
    'This is an OpenDocument file (.ods); open it in Excel or WPS, choose File > Save As with the type Excel Workbook (*.xlsx), and import that',
  ],
  'transfer.kind.numbers': [
    '这是苹果 Numbers 文件（.numbers）。请在 Numbers 中打开，选“文件 → 导出为 → Excel”，再导入',
    'This is an Apple Numbers file (.numbers); open it in Numbers, choose File > Export To > Excel, and import that',
  ],
  'transfer.kind.xlsb': [
    '这是二进制工作簿（.xlsb）。请用 Excel 或 WPS 打开，选“文件 → 另存为”，类型选“Excel 工作簿（*.xlsx）”，再导入',
    'This is a binary workbook (.xlsb); open it in Excel or WPS, choose File > Save As with the type Excel Workbook (*.xlsx), and import that',
  ],
  'transfer.kind.encrypted': [
    '文件设有打开密码。请用密码打开，在“文件 → 信息 → 保护工作簿 → 用密码进行加密”中清空密码，保存后再导入',
    'The file opens only with a password; open it with the password, clear the password under File > Info > Protect Workbook > Encrypt with Password, save, and import it',
  ],
  'transfer.kind.html': [
    '这是网页，只是用了表格的扩展名（许多系统这样导出）。请用 Excel 或 WPS 打开，选“文件 → 另存为”，类型选“Excel 工作簿（*.xlsx）”，再导入',
    'This is a web page under the name of a sheet, as many systems export it; open it in Excel or WPS, choose File > Save As with the type Excel Workbook (*.xlsx), and import that',
  ],
  'transfer.kind.xml': [
    '这是 XML 表格（Excel 2003）。请用 Excel 或 WPS 打开，选“文件 → 另存为”，类型选“Excel 工作簿（*.xlsx）”，再导入',
    'This is an XML spreadsheet of Excel 2003; open it in Excel or WPS, choose File > Save As with the type Excel Workbook (*.xlsx), and import that',
  ],
  'transfer.kind.pdf': [
    '这是 PDF 文件，不是表格。请导入原来的表格文件',
    'This is a PDF and no sheet; import the sheet it was made from',
  ],
  'transfer.kind.picture': [
    '这是图片，不是表格。请导入原来的表格文件',
    'This is a picture and no sheet; import the sheet it was taken from',
  ],
  'transfer.kind.document': [
    '这是文档，不是表格。请把其中的表格复制到 Excel，另存为 .xlsx 后再导入',
    'This is a document and no sheet; copy its table into Excel, save it as .xlsx, and import that',
  ],
  'transfer.kind.archive': [
    '这是压缩包。请解压后导入其中的表格',
    'This is an archive; unpack it and import the sheet inside',
  ],
  'transfer.file.empty': ['文件中没有数据行', 'The file has no rows of data'],
  'transfer.file.guessed': [
    '没有找到表头，已按内容认出各列，请核对后重新检查',
    'No heading was found; the columns were recognised by their values. Look at them, then check again',
  ],
  'transfer.file.noHeader': [
    '没有找到表头：没有任何一列能与字段对应。请指定表头所在的行，或逐列指定字段',
    'No heading was found: no column matches a field. Choose the row of the heading, or assign the columns',
  ],
  'transfer.file.sheetShape': [
    '工作表“{sheet}”的列与所选的第一个工作表不同，请取消选择，另行导入',
    'The columns of sheet "{sheet}" differ from those of the first one; leave it out and import it by itself',
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
    '其余工作表未读取：{sheets}',
    'Other sheets are not read: {sheets}',
  ],
  'transfer.note.hiddenSheets': [
    '隐藏的工作表没有读取：{sheets}；需要时可在“工作表和表头”中选择',
    'Hidden sheets are not read: {sheets}; choose them under Sheet and heading if you want them',
  ],
  'transfer.note.hiddenSheetsRead': [
    '按您的选择读取了隐藏的工作表：{sheets}',
    'Hidden sheets are read, as you chose: {sheets}',
  ],
  'transfer.note.hiddenColumns': [
    '表中隐藏的列也会导入：{columns}；不需要时请把它对应为“不导入”',
    'Columns that the sheet hides are imported too: {columns}; assign them to nothing if you do not want them',
  ],
  'transfer.note.hiddenRead': [
    '有 {n} 行在表中被隐藏或筛选掉，也会导入：第 {rows} 行；不需要时可选“不导入隐藏的行”',
    '{n} rows that the sheet hides or filters out are imported too: {rows}; choose “Leave out hidden rows” if you do not want them',
  ],
  'transfer.note.hiddenLeft': [
    '有 {n} 行在表中被隐藏或筛选掉，按您的选择不导入：第 {rows} 行',
    '{n} rows that the sheet hides or filters out are not imported, as you chose: {rows}',
  ],
  'transfer.note.alike': [
    '另有 {n} 个结构相同的工作表，可在“工作表和表头”中一并选择：{sheets}',
    '{n} more sheets have the same columns and can be chosen too, under Sheet and heading: {sheets}',
  ],
  'transfer.note.derived': [
    '{columns} 由公式计算，文件中的值不采用',
    '{columns}: computed by a formula, the values in the file are not used',
  ],
  'transfer.note.tidied': [
    '已整理 {n} 个单元格（全角字符、空格、日期和数字的写法等），逐行核对时可看到原文',
    '{n} cells were tidied (width, blanks, notations of dates and numbers); the rows show the original',
  ],
  'transfer.note.formulas': [
    '{n} 个公式单元格按文件中保存的结果读取',
    '{n} formula cells were read by the results stored in the file',
  ],
  'transfer.note.filled': [
    '{n} 个单元格取自其上方的合并单元格',
    '{n} cells were filled from the merged cells above them',
  ],
  'transfer.note.left': [
    '合计、说明或重复的表头共 {n} 行没有导入：第 {rows} 行',
    '{n} rows with totals, notes or a repeated heading were left out: rows {rows}',
  ],
  'transfer.sheet': ['工作表', 'Sheet'],
  'transfer.note.oldTemplate': [
    '此模板生成后字段定义有过修改，请核对',
    'The fields were changed after this template was made; please check',
  ],
  'transfer.note.western': [
    '文字编码按西欧（Windows-1252）读取；如有乱码，请换一种编码重新读取',
    'The text was read as Western European (Windows-1252); if it looks wrong, read it again in another encoding',
  ],
  'transfer.note.above': [
    '表头上方的 {n} 个值不会导入（{cells}）',
    'The {n} values above the heading are not imported ({cells})',
  ],
  'transfer.note.beyond': [
    '第 {n} 列之后的 {cells} 个值没有读取，第一个在 {place}',
    'The {cells} values behind column {n} are not read; the first is in {place}',
  ],
  'transfer.note.values': ['{column}（{n} 个值）', '{column} ({n} values)'],
  'transfer.note.valuesFrom': [
    '{column} 列（{n} 个值，从第 {row} 行起）',
    'column {column} ({n} values from row {row})',
  ],
  'transfer.note.skippedColumns': [
    '以下列不会导入：{columns}',
    'These columns are not imported: {columns}',
  ],
  'transfer.rule.formula': [
    '单元格是公式，文件中没有保存它的结果；请用 Excel 或 WPS 打开并保存一次，或粘贴为数值',
    'The cell is a formula without a stored result; open and save the file once, or paste the value instead',
  ],
  'transfer.rule.errorCell': ['单元格是错误值', 'The cell holds an error'],
  'transfer.rule.tooLong': ['单元格内容超过 {n} 个字符', 'The cell has more than {n} characters'],
  'transfer.rule.precision': [
    '数字超过 15 位，Excel 已丢失末尾数字，请将该列设为文本格式后重新填写',
    'A number of more than 15 digits has lost its last ones in the spreadsheet; format the column as text and fill it in again',
  ],
  'transfer.fixed.last': ['上次导入', 'last import'],
  'transfer.rule.noSuchItem': ['“{value}”不在可选项中', '"{value}" is not among the choices'],
  'transfer.rule.ambiguous': [
    '有多条名为“{value}”的记录，请改填编号',
    'Several records are called "{value}"; please give the number instead',
  ],
  'transfer.rule.duplicate': ['与第 {row} 行重复', 'Same as row {row}'],
  'transfer.rule.keyEmpty': ['匹配字段为空', 'The matching field is empty'],
  'transfer.rule.noRecord': ['没有找到对应的记录', 'There is no such record'],
  'transfer.rule.held': [
    '此列不能修改，该记录是“{held}”',
    'This column cannot be changed; the record has "{held}"',
  ],
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
  'transfer.job.tooManyWrong': [
    '错误超过 {n} 行，请在表格文件中修改后重新上传',
    'More than {n} rows are wrong; please correct the file and upload it again',
  ],
  'transfer.job.notWrong': [
    '这一行已经没有错误，请刷新后查看',
    'This row has no error any more; refresh to see it',
  ],
  'transfer.job.mendedElsewhere': [
    '核对结果已在别处改变，请刷新后再改',
    'The review was changed elsewhere; refresh and correct it again',
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
