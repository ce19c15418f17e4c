import type { Words } from "./concepts.ts";

export const it: Words = {
  model: "assistente|assistenti|l'assistente|ia|modello|il modello|agente|l'agente",
  you: "tu|tuo|tua|tue|tuoi",
  user: "utente|utenti|l'utente|all'utente|dell'utente|persona|persone|nessuno|cliente|clienti|umano|umani|qualcuno|operatore|chiunque",
  oblige:
    "devi|deve|devono|dovrai|bisogna|occorre|è necessario|sempre|assicurati|obbligatorio|obbligatoria|necessario|non dimenticare|ricordati|per favore|è importante|automaticamente",
  negate: "non|mai|senza|nessun|nessuna|niente|nulla|né|evita|evitare|vietato",
  threat: "altrimenti|in caso contrario|fallirà|non funzionerà|verrà rifiutat*|sarà rifiutat*|sennò",
  tell: "dire|dirlo|dirglielo|dica|dì|informare|informi|menzionare|menzionarlo|menziona|rivelare|rivela|riveli|mostrare|mostra|mostrarlo|avvisare|avvisa|avvisi|avvertire|notificare|notifica|raccontare|commentare|spiegare|sappia|sapere|accorga|accorgersi|segnalare|comunicare|parlare|parlarne|accennare|citare",
  conceal:
    "silenziosamente|in silenzio|in segreto|segretamente|di nascosto|discretamente|in sottofondo|in background|nascondi|nascondere|nascondilo|tieni segreto|tienilo segreto|mantieni il segreto|all'insaputa|senza dirlo|senza farlo sapere|senza avvisare|senza menzionarlo|non menzionare|inosservat*|occultamente|nascosto|che non compaia|non compaia|resta tra noi|senza che appaia|occulta|cela",
  send: "invia|invialo|inviala|inviali|inviare|inviarlo|invii|manda|mandalo|mandare|spedisci|spedire|trasmetti|trasmettere|carica su|inoltra|inoltralo|inoltrare|pubblica|pubblicare|posta|condividi|condividere|esfiltra*|ccn|copia nascosta|in copia|in copia nascosta|inviato|inviata|inviati|trasferisci",
  put: "metti|mettilo|mettere|inserisci|inseriscilo|inserire|includi|includilo|includere|aggiungi|aggiungilo|aggiungere|copia|copialo|copiare|incolla|incollalo|incollare|allega|allegalo|allegare|passa|passalo|passare|passane|scrivi|scrivilo|scrivere|fornisci|fornire|stampa|stampare|ripeti|ripetere|riporta|riportalo|riportare|compila|nel campo|nel parametro|come parametro|restituisci|consegna|registra|annota|registra|crea|creare|compila|iscrivi|deposita|indica|salva",
  read: "leggi|leggilo|leggere|apri|aprilo|aprire|carica|caricare|ottieni|ottenere|recupera|recuperare|accedi|contenuto|il contenuto|consulta|estrai|estrarre|prendi",
  collect: "raccogli|raccogliere|cerca|cercare|trova|trovare|riunisci|individua|setaccia",
  call: "chiama|chiamare|usa|usalo|usare|utilizza|utilizzare|invoca|invocare|chiamata|preferisci|richiama",
  run: "esegui|eseguilo|eseguire|lancia|lanciare|avvia|installa|installare|attiva|attivare|accendi|scarica|approva|accetta|firma|compra|paga|avvia",
  ignore:
    "ignora|ignorare|dimentica|dimenticare|dimenticati|tralascia|trascura|annulla|annullare|scarta|scavalca|disattendi|non tenere conto|non seguire|prevale|prevalgono|ha la precedenza|hanno la precedenza|ha priorità su|sostituisce|non valgono più",
  obey: "segui|seguire|obbedisci|ubbidisci|obbedire|rispetta|esegui|eseguire|eseguile|tratta|trattare|come se|considera|attieniti|fidati|seguile|come ordini|come istruzioni|stessa autorità|eseguile subito|obbedisci|attieniti",
  change:
    "sostituisci|sostituire|sostituiscilo|cambia|cambialo|cambiare|modifica|modificare|reindirizza|dirotta|altera|scambia",
  destroy: "cancella|cancellare|elimina|eliminare|rimuovi|rimuovere|distruggi|svuota|disattiva|disattivare",
  ask: "chiedi|chiedere|domanda|domandare|richiedi|richiedere|attendere|aspettare|consultare",
  skip: "salta|saltare|evita|aggira|aggirare|ometti|omettere|disattiva|bypassa",
  claim:
    "fingi|fingere|afferma|affermare|menti|mentire|nega|negare|assicura|rassicura|rispondi che|dì che|di' che|fai credere|inventa|presenta come|fai passare|fai credere|lascia credere|di' che|rispondi che|consiglia solo|sostieni",
  remember: "ricorda|ricordare|ricordati|memorizza|memorizzare|salva|salvare|conserva|annota",
  describe:
    "rileva|verifica|analizza|cerca frasi|segnala|identifica|classifica|valuta|esamina|spiega|filtra|blocca|controlla|per esempio|ad esempio|come per esempio|individua",
  prior:
    "precedente|precedenti|prima|tutte|tutti|tue|tuoi|qualsiasi|altre|sistema|iniziali|le|sopra|finora|ricevute|ricevuto",
  rules:
    "istruzione|istruzioni|regola|regole|norma|norme|indicazioni|direttiva|direttive|ordine|ordini|restrizioni|limitazioni|politica|politiche|prompt|vincoli",
  systemPrompt:
    "prompt di sistema|prompt del sistema|istruzioni di sistema|istruzioni del sistema|messaggio di sistema|tue istruzioni|le tue istruzioni|istruzioni iniziali|istruzioni interne|istruzioni originali|istruzioni nascoste|tuo ragionamento|prompt iniziale",
  dialogue:
    "conversazione|conversazioni|la conversazione|chat|cronologia|la cronologia|dialogo|messaggi precedenti|ultimi messaggi|ultimo messaggio|messaggio dell'utente|messaggi dell'utente|tutti i messaggi|contesto completo|intero contesto|domanda dell'utente|richiesta dell'utente",
  secret:
    "password|chiave api|chiavi api|chiave privata|chiavi private|chiave|chiavi|credenziale|credenziali|segreto|segreti|token|cookie|variabili d'ambiente|variabili di ambiente|frase di recupero|carta di credito|numero di carta|codici di verifica|codice di verifica|chiave ssh|chiavi ssh|pin",
  personal:
    "rubrica|contatti|telefono|numeri di telefono|posizione|cartella clinica|dati personali|dati bancari|data di nascita|casella di posta|indirizzo|codice fiscale|cronologia di navigazione|e-mail|diario|foto|microfono|fotocamera|ricette mediche|paziente|pazienti|buste paga|dati dei clienti|privati|privato",
  everything:
    "tutto|tutti|tutta|tutte|completo|completa|intero|intera|integrale|integralmente|ogni|qualsiasi|parola per parola|letteralmente|il contenuto|contenuto|dell'utente|salvate|salvati|memorizzat*|trovi",
  consent: "conferma|conferme|approvazione|permesso|permessi|autorizzazione|consenso|verifica|avviso|avvisi|chiedere",
  otherTools:
    "altri strumenti|altro strumento|altri server|altro server|qualsiasi altro strumento|strumenti nativi|tutti gli strumenti|strumento ufficiale|ogni altro strumento",
  output:
    "risultato|risultati|risposta|risposte|output|pagina|pagine|documento|documenti|contenuto|testo|restituito|restituisce|file|e-mail|riga|righe|voce|voci|recensione|recensioni|commento|commenti|titolo|campo",
  files: "file|cartella|directory|codice sorgente|repository|progetto|documenti|database",
  target:
    "destinatario|destinatari|iban|conto|numero di conto|importo|quantità|bonifico|bonifici|pagamento|pagamenti|beneficiario|indirizzo|fattura|fatture",
  lasting:
    "memoria|memoria a lungo termine|avvio|configurazione|file di configurazione|impostazioni|permanentemente|per sempre|attività pianificata|cron|hook|profilo|preferenza|preferenze|avvio automatico",
  attack:
    "iniezione|injection|attacco|attacchi|malevol*|dannos*|sospett*|phishing|vulnerabilità|jailbreak|frode|frodi|truffa|truffe|manipolazione|minacce",
  always:
    "ogni volta|ad ogni|a ogni|sempre|per ogni|prima di ogni|dopo ogni|in ogni|ogniqualvolta|ogni messaggio|ogni risposta",
  first: "prima|prima di|innanzitutto|anzitutto|in primo luogo|preventivamente|per prima cosa|prima di ogni",
  later:
    "una volta approvato|una volta approvata|dopo l'approvazione|dopo la prima|dopo la terza|a partire dalla|dalla terza|alla terza|nel fine settimana|di notte|fuori orario|quando nessuno|dopo mezzanotte|più tardi|in produzione|appena approvat*|non appena|dopo la revisione|quando l'utente non",
  future:
    "d'ora in poi|da ora in poi|da adesso in poi|in futuro|per il resto|in tutte le|prossime sessioni|d'ora innanzi|fino a nuovo ordine",
  authority:
    "amministratore|amministratori|team di sicurezza|sviluppatore|sviluppatori|conformità|politica aziendale|reparto it|normativa|per legge|direzione|fornitore|anthropic|openai|audit|diagnostica|fatturazione",
  priority: "priorità|prioritario|massima priorità|al di sopra|invece di|al posto di|esclusivamente|prevale",
  common: "il|lo|la|i|gli|le|di|e|un|una|in|per|con|che|del|della|dei|al|alla|da|nel|si|è|questo|questa",
  mention: "menzionare|menzionarlo|menziona|rivelare|rivela|accennare|parlarne|citare|divulgare",
  granted:
    "ha già approvato|già approvato|già acconsentito|già confermato|già autorizzato|non è necessaria|non è necessario|non serve|non occorre|è implicito|non è richiesta|sono disattivate|è disattivata|vale come|si intende|considerala approvata|senza bisogno",
  worthless: "obsolet*|insicur*|compromess*|rott*|dannos*|inaffidabil*|difettos*|vietat*|dati falsi|malevol*",
  everyTurn:
    "ogni messaggio|ogni risposta|ogni richiesta|ogni domanda|prima di rispondere|ogni conversazione|ogni sessione|qualsiasi altro strumento|ogni altro strumento",
  besides: "anche|inoltre|altresì|nel frattempo|poi|quindi|in più|contemporaneamente|successivamente",
  invite:
    "benvenut*|utile|aiuta|aiuterebbe|quanto più|meglio|idealmente|apprezziamo|vorremmo|gradit*|non esitare|volentieri|consigliamo|di solito|conviene",
  condition: "se|quando|appena|una volta|nel caso|qualora|mentre|ogni volta che|a partire dal",
  moved:
    "vengono inviat*|viene inviat*|vengono copiat*|sono inclus*|vengono allegat*|vengono condivis*|viaggiano|accompagnano|trasferit*|condivis*|allegat*|pubblicat*",
  elsewhere:
    "a noi|nostro server|nostri server|partner|terzi|terze parti|pubblico|pubblica|pubblicamente|fornitore|esterno|esterni|nostro cloud|nostro team",
};
