import type { Words } from "./concepts.ts";

export const pt: Words = {
  model: "assistente|assistentes|o assistente|ia|modelo|agente|agentes",
  you: "você|tu|teu|seu|seus|suas|tuas",
  user: "usuário*|utilizador*|usuária*|pessoa|pessoas|ninguém|cliente|clientes|humano|humanos|alguém|operador",
  oblige:
    "deve|devem|deves|deverá|precisa|tem de|tem que|tens de|é preciso|sempre|certifique-se|certifica-te|obrigatório|obrigatoriamente|necessário|não se esqueça|não esqueça|por favor|importante|automaticamente",
  negate: "não|nunca|jamais|sem|nenhum|nenhuma|nada|nem|evite|evita|proibido",
  threat: "caso contrário|senão|vai falhar|falhará|não funcionará|será rejeitad*|será recusad*|de outro modo",
  tell: "diga|digas|dizer|conte|contes|contar|informe|informes|informar|mencione|menciones|mencionar|revele|revelar|mostre|mostres|mostrar|avise|avises|avisar|notifique|notificar|comente|explique|explicar|saiba|saber|perceba|perceber|descubra|relate|fale|exiba",
  conceal:
    "em silêncio|silenciosamente|em segredo|secretamente|discretamente|às escondidas|sem que o usuário|sem que o utilizador|em segundo plano|oculte|ocultar|oculta|esconda|esconder|mantenha em segredo|guarde segredo|sem o conhecimento|sem avisar|sem mencionar|omita isto|não mencione|sigilosamente|despercebid*|esconda|escondido|disfarce|que não apareça|sem que apareça|fica entre nós|fica só entre|não apareça",
  send: "envie|enviar|envia|enviá-lo|enviá-la|envie-o|mande|mandar|manda|carregue|transmita|transmitir|encaminhe|encaminhar|publique|publicar|poste|postar|compartilhe|partilhe|partilhar|compartilhar|exfiltre|reencaminhe|remeta|cco|cópia oculta|com cópia|enviado|enviada|enviados|faça upload|suba",
  put: "coloque|colocar|coloca|ponha|pôr|põe|inclua|incluir|inclui|adicione|adicionar|adiciona|acrescente|acrescentar|insira|inserir|insere|copie|copiar|copia|cole|colar|anexe|anexar|anexa|passe|passar|passa|escreva|escrever|forneça|fornecer|imprima|imprimir|repita|repetir|preencha|preencher|entregue|no campo|no parâmetro|como parâmetro|reproduza|devolva|registre|grave|anote|registre|crie|criar|preencha|introduza|inscreva|deposite|indique|guarde|troque",
  read: "leia|ler|lê|abra|abrir|abre|carregue|carregar|obtenha|obter|acesse|aceda|conteúdo|o conteúdo|consulte|extraia|pegue|recupere",
  collect:
    "colete|coletar|recolha|recolher|reúna|reunir|procure|procurar|busque|buscar|encontre|encontrar|junte|vasculhe",
  call: "chame|chamar|chama|use|usar|utilize|utilizar|invoque|invocar|chamada|prefira|acione",
  run: "execute|executar|executa|rode|rodar|instale|instalar|inicie|corra|ative|ativar|ligue|baixe|aprove|aceite|assine|compre|pague|inicie",
  ignore:
    "ignore|ignorar|ignora|esqueça|esquecer|esquece|desconsidere|desconsiderar|descarte|descartar|anule|anular|desrespeite|não siga|prevalece*|tem prioridade|têm prioridade|substitui as|perdem a validade|sem efeito",
  obey: "siga|seguir|segue|obedeça|obedecer|cumpra|cumprir|acate|execute|executar|trate|tratar|como se|considere|confie|como ordens|como instruções|mesma autoridade|faça o que|cumpra-as",
  change:
    "substitua|substituir|substitui|troque|trocar|altere|alterar|altera|mude|mudar|modifique|redirecione|redirecionar|desvie",
  destroy: "apague|apagar|exclua|excluir|elimine|eliminar|remova|remover|destrua|desative|desativar",
  ask: "pergunte|perguntar|peça|pedir|solicite|solicitar|espere|esperar|consulte|exija",
  skip: "pule|pular|ignore|contorne|contornar|evite|desative|salte|dispense",
  claim:
    "finja|fingir|afirme|afirmar|minta|mentir|negue|negar|garanta|assegure|responda que|diga que|faça crer|invente|apresente como|faça crer|faça acreditar|diga que|afirme que|responda que|recomende só|recomende apenas",
  remember: "lembre|lembre-se|lembrar|memorize|memorizar|guarde|guardar|armazene|armazenar|salve|anote|grave",
  describe:
    "detecta|deteta|verifica|analisa|procura frases|sinaliza|identifica|classifica|avalia|examina|explica|filtra|bloqueia|por exemplo|tais como|inspeciona|testa",
  prior:
    "anterior|anteriores|prévia*|prévio*|todas|todos|suas|tuas|qualquer|outras|sistema|iniciais|as|acima|até agora",
  rules:
    "instrução|instruções|regra|regras|norma|normas|orientações|diretriz|diretrizes|ordem|ordens|restrições|limitações|política|políticas|prompt|diretivas",
  systemPrompt:
    "prompt do sistema|prompt de sistema|instruções do sistema|mensagem do sistema|mensagem de sistema|suas instruções|tuas instruções|instruções iniciais|instruções internas|instruções originais|instruções ocultas|seu raciocínio|prompt inicial",
  dialogue:
    "conversa|conversas|a conversa|chat|histórico|o histórico|diálogo|mensagens anteriores|últimas mensagens|última mensagem|mensagem do usuário|mensagem do utilizador|mensagens do usuário|mensagens do utilizador|todas as mensagens|contexto completo|pergunta do usuário|pedido do usuário",
  secret:
    "senha|senhas|palavra-passe|palavras-passe|chave api|chaves api|chave de api|chaves de api|chave privada|chaves privadas|chave|chaves|credencial|credenciais|segredo|segredos|token|tokens|cookie|cookies|variáveis de ambiente|variável de ambiente|frase de recuperação|cartão de crédito|número do cartão|códigos de verificação|código de verificação|chave ssh",
  personal:
    "contatos|contactos|agenda|telefone|telefones|localização|histórico médico|dados pessoais|dados bancários|data de nascimento|caixa de entrada|e-mails|emails|endereço|cpf|histórico de navegação|prontuário|diário|fotos|microfone|câmera|câmara|receitas|paciente|pacientes|holerites|dados de clientes|privados|privado|cartão terminado",
  everything:
    "tudo|todo|todos|toda|todas|completo|completa|inteiro|inteira|íntegra|na íntegra|cada|qualquer|palavra por palavra|literalmente|o conteúdo|conteúdo|do usuário|do utilizador|salvas|guardad*|armazenad*|encontrar",
  consent:
    "confirmação|confirmações|aprovação|permissão|permissões|autorização|consentimento|verificação|aviso|avisos|perguntar|pedir",
  otherTools:
    "outras ferramentas|outra ferramenta|outros servidores|outro servidor|demais ferramentas|qualquer outra ferramenta|ferramentas nativas|todas as ferramentas|ferramenta oficial",
  output:
    "resultado|resultados|resposta|respostas|saída|página|páginas|documento|documentos|conteúdo|texto|devolvido|retornado|arquivo|e-mail|linha|linhas|entrada|entradas|avaliação|avaliações|comentário|comentários|título|campo",
  files:
    "arquivo|arquivos|ficheiro|ficheiros|pasta|diretório|código-fonte|repositório|projeto|documentos|banco de dados",
  target:
    "destinatário|destinatários|iban|conta|número da conta|valor|montante|quantidade|transferência|transferências|pagamento|pagamentos|beneficiário|endereço|fatura|faturas|pix|chave pix|cartão|valor parcial|valor total|estorno",
  lasting:
    "memória|memória de longo prazo|inicialização|configuração|arquivo de configuração|definições|permanentemente|para sempre|tarefa agendada|cron|hook|perfil|preferência|preferências|inicialização automática",
  attack:
    "injeção|injeções|ataque|ataques|malicioso*|maliciosa*|suspeito*|suspeita*|phishing|vulnerabilidade*|jailbreak|fraude|golpe*|manipulação|ameaças|vazad*",
  always:
    "cada vez|em cada|sempre|para cada|antes de cada|depois de cada|após cada|em todas|sempre que|toda vez|todas as vezes|cada mensagem|cada resposta|a cada",
  first: "primeiro|antes|antes de|previamente|em primeiro lugar|antes de tudo|antes de cada",
  later:
    "uma vez aprovada|uma vez aprovado|após a aprovação|depois de aprovad*|depois da primeira|após a primeira|após a terceira|a partir da terceira|na terceira|nos fins de semana|à noite|fora do horário|quando ninguém|depois da meia-noite|mais tarde|em produção|assim que for aprovad*|após a revisão|quando o usuário não",
  future:
    "a partir de agora|de agora em diante|doravante|daqui em diante|no futuro|para o resto|pelo resto|próximas sessões|futuras|até nova ordem",
  authority:
    "administrador*|equipe de segurança|equipa de segurança|desenvolvedor*|conformidade|política da empresa|departamento de|regulamento|por lei|direção|fornecedor|anthropic|openai|auditoria|diagnóstico|faturamento",
  priority:
    "prioridade|prioritário|prioritária|prioridade máxima|acima de|em vez de|no lugar de|exclusivamente|prevalece*",
  common: "o|a|os|as|de|e|um|uma|em|para|com|por|que|do|da|no|na|dos|das|ao|se|seu|este|esta|não|é",
  mention: "mencione|menciones|mencionar|revele|revelar|comente|comentar|divulgue|divulgar|fale sobre",
  granted:
    "já aprovou|já autorizou|já concordou|já confirmou|já deu|não é necessário|não é necessária|não precisa|não é preciso|está implícito|dispensada|dispensado|conta como|estão desativad*|está desativad*|dá-se por aprovad*|sem necessidade de",
  worthless: "obsolet*|insegur*|comprometid*|quebrad*|malicios*|não confiáve*|defeituos*|proibid*|dados falsos",
  everyTurn:
    "cada mensagem|cada resposta|cada pedido|cada solicitação|cada pergunta|antes de responder|cada conversa|cada sessão|qualquer outra ferramenta|qualquer outra coisa",
  besides: "também|além disso|ademais|ao mesmo tempo|em seguida|depois|igualmente|de passagem",
  invite:
    "bem-vind*|útil|ajuda|ajudaria|quanto mais|melhor|idealmente|agradecemos|gostaríamos|não hesite|fique à vontade|recomendamos|costuma|convém",
  condition: "se|quando|assim que|caso|uma vez|enquanto|sempre que|a partir do",
  moved:
    "são enviad*|é enviad*|são copiad*|são incluíd*|são anexad*|são compartilhad*|são partilhad*|seguem|acompanham|transferid*|compartilhad*|anexad*|publicad*",
  elsewhere:
    "para nós|nosso servidor|nossos servidores|parceiro|parceiros|terceiros|público|pública|publicamente|fornecedor|externo|externos|nossa nuvem|nossa equipe",
};
