<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ko" sourcelanguage="en">
<context>
    <name>AnswerView</name>
    <message>
        <source>Ask again</source>
        <translation>다시 묻기</translation>
    </message>
    <message>
        <source>Change the question</source>
        <translation>질문 고치기</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>Documents</source>
        <translation>문서</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Notice</source>
        <translation>알림</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Reading …</source>
        <translation>읽는 중 …</translation>
    </message>
    <message>
        <source>Remove this document</source>
        <translation>이 문서 빼기</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} 빼기</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>code</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation>이 코드 복사</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>코드</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach documents (Ctrl+O)</source>
        <translation>문서 첨부 (Ctrl+O)</translation>
    </message>
    <message>
        <source>Attach documents</source>
        <translation>문서 첨부</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>보내기 (Enter)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>보내기</translation>
    </message>
    <message>
        <source>Esc stops the answer</source>
        <translation>Esc를 누르면 답변이 멈춥니다</translation>
    </message>
    <message>
        <source>A document is still being read</source>
        <translation>문서를 아직 읽고 있습니다</translation>
    </message>
    <message>
        <source>Type a question about the document</source>
        <translation>문서에 대한 질문을 입력하세요</translation>
    </message>
    <message>
        <source>Type a question to send</source>
        <translation>질문을 입력하면 보낼 수 있습니다</translation>
    </message>
    <message>
        <source>Enter sends · Shift+Enter new line</source>
        <translation>Enter 보내기 · Shift+Enter 줄 바꿈</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>중지</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>중지 (Esc)</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
</context>
<context>
    <name>DropVeil</name>
    <message>
        <source>Drop documents to ask about them</source>
        <translation>질문할 문서를 여기에 놓으세요</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>Round trip {number} ms</source>
        <translation>왕복 {number} ms</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1쪽</translation>
    </message>
    <message>
        <source>{count} pages</source>
        <translation>{count}쪽</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1자</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count}자</translation>
    </message>
    <message>
        <source>Starting the engine …</source>
        <translation>엔진을 시작하는 중 …</translation>
    </message>
    <message>
        <source>Preparing the model …</source>
        <translation>모델을 준비하는 중 …</translation>
    </message>
    <message>
        <source>Reaching the agent …</source>
        <translation>에이전트에 연결하는 중 …</translation>
    </message>
    <message>
        <source>Reading the question …</source>
        <translation>질문을 읽는 중 …</translation>
    </message>
    <message>
        <source>Only here: all layers run on this computer</source>
        <translation>여기서만: 모든 레이어가 이 컴퓨터에서 실행됩니다</translation>
    </message>
    <message>
        <source>Agent: not started yet</source>
        <translation>에이전트: 아직 시작하지 않음</translation>
    </message>
    <message>
        <source>Agent: not connected</source>
        <translation>에이전트: 연결되지 않음</translation>
    </message>
    <message>
        <source>Agent: on this computer</source>
        <translation>에이전트: 이 컴퓨터</translation>
    </message>
    <message>
        <source>Agent: {address}</source>
        <translation>에이전트: {address}</translation>
    </message>
    <message>
        <source>remote</source>
        <translation>원격</translation>
    </message>
    <message>
        <source>{number} tokens/s</source>
        <translation>{number} 토큰/초</translation>
    </message>
    <message>
        <source>{number} tokens/step</source>
        <translation>{number} 토큰/단계</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count}토큰</translation>
    </message>
    <message>
        <source>All layers ran on this computer.</source>
        <translation>모든 레이어가 이 컴퓨터에서 실행되었습니다.</translation>
    </message>
    <message>
        <source>The first {head} and the last {tail} layers ran on this computer, {middle} at the agent.</source>
        <translation>앞 {head}개와 뒤 {tail}개 레이어는 이 컴퓨터에서, {middle}개는 에이전트에서 실행되었습니다.</translation>
    </message>
    <message>
        <source>Only here: every layer runs on this computer and nothing is sent.</source>
        <translation>여기서만: 모든 레이어가 이 컴퓨터에서 실행되며 아무것도 보내지 않습니다.</translation>
    </message>
    <message>
        <source>The agent gets numbers, not your text; but whoever has this model&apos;s public weights can work the text out from them. The split alone does not protect it.</source>
        <translation>에이전트는 글이 아니라 숫자를 받습니다. 그러나 이 모델의 공개 가중치를 가진 사람은 그 숫자로 글을 알아낼 수 있습니다. 분할만으로는 글이 보호되지 않습니다.</translation>
    </message>
    <message>
        <source>No agent is paired, so one runs on this computer. A remote one would get numbers, not your text; but whoever has this model&apos;s public weights can work the text out from them. The split alone does not protect it.</source>
        <translation>연결된 에이전트가 없어 이 컴퓨터에서 하나를 실행합니다. 원격 에이전트라면 글이 아니라 숫자를 받지만, 이 모델의 공개 가중치를 가진 사람은 그 숫자로 글을 알아낼 수 있습니다. 분할만으로는 글이 보호되지 않습니다.</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>New chat</source>
        <translation>새 대화</translation>
    </message>
    <message>
        <source>New chat (Ctrl+N)</source>
        <translation>새 대화 (Ctrl+N)</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Settings (Ctrl+,)</source>
        <translation>설정 (Ctrl+,)</translation>
    </message>
    <message>
        <source>{layers} layers, at most {context} tokens of context</source>
        <translation>레이어 {layers}개, 문맥 최대 {context}토큰</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>New chat</source>
        <translation>새 대화</translation>
    </message>
    <message>
        <source>Start a new chat?</source>
        <translation>새 대화를 시작할까요?</translation>
    </message>
    <message>
        <source>This version does not keep chats: the present one will be gone.</source>
        <translation>이 버전은 대화를 저장하지 않습니다. 지금 대화는 사라집니다.</translation>
    </message>
    <message>
        <source>Start new chat</source>
        <translation>새 대화 시작</translation>
    </message>
    <message>
        <source>Stay here</source>
        <translation>그대로 있기</translation>
    </message>
    <message>
        <source>Something went wrong inside Sotto and the answer ended. Your text is kept; ask again.</source>
        <translation>Sotto 내부에 문제가 생겨 답변이 끝났습니다. 입력한 글은 그대로 있으니 다시 물어보세요.</translation>
    </message>
    <message>
        <source>The window was closed.</source>
        <translation>창이 닫혔습니다.</translation>
    </message>
    <message>
        <source>The answer is complete.</source>
        <translation>답변이 끝났습니다.</translation>
    </message>
    <message>
        <source>Attach documents</source>
        <translation>문서 첨부</translation>
    </message>
    <message>
        <source>Documents (*.txt *.md *.pdf *.docx)</source>
        <translation>문서 (*.txt *.md *.pdf *.docx)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>모든 파일 (*)</translation>
    </message>
    <message>
        <source>This document could not be read. Remove it, or try it again.</source>
        <translation>이 문서를 읽지 못했습니다. 빼거나 다시 시도하세요.</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>링크 열기</translation>
    </message>
    <message>
        <source>Open this link in your browser?</source>
        <translation>이 링크를 브라우저에서 열까요?</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Close Sotto</source>
        <translation>Sotto 닫기</translation>
    </message>
    <message>
        <source>Close Sotto?</source>
        <translation>Sotto를 닫을까요?</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>MessageList</name>
    <message>
        <source>Conversation</source>
        <translation>대화</translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation>맨 아래로</translation>
    </message>
    <message>
        <source>Go to the end and follow the answer</source>
        <translation>끝으로 가서 답변을 따라갑니다</translation>
    </message>
</context>
<context>
    <name>ModelChooser</name>
    <message>
        <source>Kind of model</source>
        <translation>모델 종류</translation>
    </message>
    <message>
        <source>Starter model (SmolLM2 135M)</source>
        <translation>기본 모델 (SmolLM2 135M)</translation>
    </message>
    <message>
        <source>GGUF file</source>
        <translation>GGUF 파일</translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation>모델 폴더</translation>
    </message>
    <message>
        <source>Hugging Face Hub</source>
        <translation>Hugging Face Hub</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>고르기 …</translation>
    </message>
    <message>
        <source>Choose a model, or take the starter model.</source>
        <translation>모델을 고르거나 기본 모델을 쓰세요.</translation>
    </message>
    <message>
        <source>There is no file of this name. Choose another one.</source>
        <translation>그런 이름의 파일이 없습니다. 다른 파일을 고르세요.</translation>
    </message>
    <message>
        <source>There is no folder of this name. Choose another one.</source>
        <translation>그런 이름의 폴더가 없습니다. 다른 폴더를 고르세요.</translation>
    </message>
    <message>
        <source>A Hub id looks like owner/name. Correct it, then save.</source>
        <translation>Hub ID는 소유자/이름 꼴입니다. 고친 뒤 저장하세요.</translation>
    </message>
    <message>
        <source>owner/name</source>
        <translation>소유자/이름</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>경로</translation>
    </message>
    <message>
        <source>Hub id</source>
        <translation>Hub ID</translation>
    </message>
    <message>
        <source>Path of the model</source>
        <translation>모델 경로</translation>
    </message>
    <message>
        <source>Small and quick, good for a first try; larger models answer better.</source>
        <translation>작고 빨라서 처음 써 보기에 좋습니다. 더 큰 모델이 더 잘 답합니다.</translation>
    </message>
    <message>
        <source>It is downloaded from huggingface.co with your next question, and once only.</source>
        <translation>다음 질문 때 huggingface.co에서 한 번만 내려받습니다.</translation>
    </message>
    <message>
        <source>Llama-, Mistral-, Qwen- and Gemma-like models can be split.</source>
        <translation>Llama, Mistral, Qwen, Gemma 계열 모델을 나눌 수 있습니다.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>모델 고르기</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 모델 (*.gguf)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>모든 파일 (*)</translation>
    </message>
</context>
<context>
    <name>ProseView</name>
    <message>
        <source>Text of the answer</source>
        <translation>답변 글</translation>
    </message>
</context>
<context>
    <name>QuestionEdit</name>
    <message>
        <source>Ask something …</source>
        <translation>무엇이든 물어보세요 …</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>질문</translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter begin a new line.</source>
        <translation>Enter를 누르면 보내고, Shift와 Enter를 함께 누르면 줄을 바꿉니다.</translation>
    </message>
</context>
<context>
    <name>QuestionView</name>
    <message>
        <source>Your question</source>
        <translation>내 질문</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>저장</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>기본값</translation>
    </message>
    <message>
        <source>A seed is a whole number, or empty for a new one each time.</source>
        <translation>시드는 정수이거나 비어 있어야 합니다. 비우면 매번 새로 정합니다.</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>분할</translation>
    </message>
    <message>
        <source>Drafting: guess ahead, which hides the distance</source>
        <translation>초안 추측: 미리 짐작해 거리를 감춥니다</translation>
    </message>
    <message>
        <source>Changes how fast an answer comes, never what it says.</source>
        <translation>답변의 속도만 달라지고 내용은 달라지지 않습니다.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>샘플링</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token.</source>
        <translation>0이면 항상 가장 유력한 토큰을 고릅니다.</translation>
    </message>
    <message>
        <source>Only the k likeliest tokens; 0 is off.</source>
        <translation>가장 유력한 k개 토큰만 씁니다. 0이면 끕니다.</translation>
    </message>
    <message>
        <source>off</source>
        <translation>끔</translation>
    </message>
    <message>
        <source>Only the likeliest tokens that make up this share; 1 is off.</source>
        <translation>합이 이 비율이 되는 유력한 토큰만 씁니다. 1이면 끕니다.</translation>
    </message>
    <message>
        <source>Only tokens at least this likely beside the likeliest; 0 is off.</source>
        <translation>가장 유력한 토큰에 견주어 이 비율 이상인 토큰만 씁니다. 0이면 끕니다.</translation>
    </message>
    <message>
        <source>Above 1, words that were used get rarer; 1 is off.</source>
        <translation>1보다 크면 이미 쓴 말이 덜 나옵니다. 1이면 끕니다.</translation>
    </message>
    <message>
        <source>new each time</source>
        <translation>매번 새로</translation>
    </message>
    <message>
        <source>The same seed gives the same answer.</source>
        <translation>시드가 같으면 답변도 같습니다.</translation>
    </message>
    <message>
        <source>An answer ends here at the latest.</source>
        <translation>답변은 늦어도 여기서 끝납니다.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>온도</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>반복 벌점</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>Most tokens of an answer</source>
        <translation>답변 최대 토큰</translation>
    </message>
</context>
<context>
    <name>SplitControls</name>
    <message>
        <source>Only here: run every layer on this computer</source>
        <translation>여기서만: 모든 레이어를 이 컴퓨터에서 실행</translation>
    </message>
    <message>
        <source>Layers of the head</source>
        <translation>앞쪽 레이어 수</translation>
    </message>
    <message>
        <source>Layers of the tail</source>
        <translation>뒤쪽 레이어 수</translation>
    </message>
    <message>
        <source>&amp;Head</source>
        <translation>앞쪽(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Tail</source>
        <translation>뒤쪽(&amp;T)</translation>
    </message>
    <message>
        <source>How many layers there are is known as soon as the model is loaded.</source>
        <translation>레이어가 몇 개인지는 모델을 불러온 뒤에 알 수 있습니다.</translation>
    </message>
    <message>
        <source>All {layers} layers run here.</source>
        <translation>레이어 {layers}개가 모두 여기서 실행됩니다.</translation>
    </message>
    <message>
        <source>Of {layers} layers the first {head} and the last {tail} run here, {middle} at the agent.</source>
        <translation>레이어 {layers}개 가운데 앞 {head}개와 뒤 {tail}개는 여기서, {middle}개는 에이전트에서 실행됩니다.</translation>
    </message>
</context>
<context>
    <name>SplitPicture</name>
    <message>
        <source>Picture of the split</source>
        <translation>분할 그림</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Who runs the middle layers</source>
        <translation>중간 레이어를 실행하는 곳</translation>
    </message>
    <message>
        <source>What is being prepared</source>
        <translation>준비 상황</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>진행</translation>
    </message>
    <message>
        <source>Time of one round trip to the agent</source>
        <translation>에이전트까지 왕복 시간</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>초당 토큰 수</translation>
    </message>
    <message>
        <source>Tokens for each step sent to the agent</source>
        <translation>에이전트로 보낸 한 단계당 토큰 수</translation>
    </message>
    <message>
        <source>Bytes sent and received for this answer</source>
        <translation>이 답변에서 보내고 받은 바이트</translation>
    </message>
</context>
<context>
    <name>_Foot</name>
    <message>
        <source>Copy the answer</source>
        <translation>답변 복사</translation>
    </message>
</context>
<context>
    <name>_Notice</name>
    <message>
        <source>Stopped.</source>
        <translation>중지했습니다.</translation>
    </message>
    <message>
        <source>Stopped. What had come is kept.</source>
        <translation>중지했습니다. 나온 글은 그대로 둡니다.</translation>
    </message>
    <message>
        <source>Interrupted. What had come is kept.</source>
        <translation>중단되었습니다. 나온 글은 그대로 둡니다.</translation>
    </message>
    <message>
        <source>Ended at the limit for the length of an answer; the settings can raise it.</source>
        <translation>답변 길이 한도에서 끝났습니다. 설정에서 한도를 높일 수 있습니다.</translation>
    </message>
</context>
<context>
    <name>_ProgressLine</name>
    <message>
        <source>Progress</source>
        <translation>진행</translation>
    </message>
</context>
<context>
    <name>_Welcome</name>
    <message>
        <source>What would you like to know?</source>
        <translation>무엇이 궁금하세요?</translation>
    </message>
    <message>
        <source>Type a question, or drop a document anywhere in this window.</source>
        <translation>질문을 입력하거나 이 창 아무 곳에나 문서를 끌어다 놓으세요.</translation>
    </message>
</context>
</TS>
