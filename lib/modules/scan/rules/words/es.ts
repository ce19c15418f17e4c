import type { Words } from "./concepts.ts";

export const es: Words = {
  model: "asistente|asistentes|el asistente|ia|modelo|el modelo|agente|agentes",
  you: "tú|tu|tus|usted",
  user: "usuario*|usuaria*|persona|personas|nadie|cliente|clientes|humano|humanos|alguien|operador|propietario",
  oblige:
    "debes|debe|deben|deberás|tienes que|tiene que|hay que|siempre|asegúrate|asegúrese|obligatorio|obligatoria|es necesario|no olvides|imprescindible|requerido|necesariamente|por favor|importante|automáticamente",
  negate: "no|nunca|jamás|sin|ningún|ninguna|nada|ni|evita|evite|evitar|tampoco|prohibido",
  threat: "de lo contrario|si no|fallará|no funcionará|será rechazada|será rechazado|en caso contrario",
  tell: "digas|diga|decir|decirle|decírselo|se lo|informes|informe|informar|informarle|menciones|mencione|mencionar|mencionarlo|reveles|revele|revelar|muestres|muestre|mostrar|mostrarlo|avises|avise|avisar|avisarle|notifiques|notificar|cuentes|cuente|contar|comentes|expliques|explicar|sepa|saber|note|notar|entere|enterarse|reportes|indiques|dile",
  conceal:
    "en silencio|silenciosamente|en secreto|secretamente|discretamente|a escondidas|sin que el usuario|sin que lo sepa|sin que se entere|en segundo plano|oculta|ocultar|ocultes|oculte|esconde|esconder|mantén en secreto|mantenlo en secreto|guarda el secreto|sin decirlo|sin mencionarlo|calladamente|inadvertid*|omite esto|no lo menciones|encubierto|sin avisar|ocultar|ocúltalo|ocúltala|disimula|que no se vea|que no aparezca|sin que aparezca|no aparezca|queda entre nosotros|disimuladamente",
  send: "envía|envíe|enviar|envíalo|envíala|envíalos|enviarlo|enviarla|envíes|envie|manda|mande|mandar|mándalo|sube|suba|subir|súbelo|transmite|transmitir|reenvía|reenvíe|reenviar|publica|publicar|publique|comparte|compartir|exfiltra*|remite|cco|copia oculta|con copia|copia a|enviado|enviada|enviados",
  put: "pon|ponga|poner|ponlo|ponla|incluye|incluya|incluir|inclúyelo|añade|añada|añadir|añádelo|agrega|agregue|agregar|agrégalo|inserta|insertar|inserte|copia|copie|copiar|cópialo|pega|pegar|pégalo|adjunta|adjuntar|adjunte|pasa|pase|pasar|pásalo|pásala|coloca|colocar|escribe|escriba|escribir|entrega|entregar|imprime|imprimir|repite|repetir|proporciona*|devuelve|rellena|introduce|introducir|como parámetro|en el campo|en el parámetro|guarda|registra|anota|registra|crea|crear|rellena|rellenar|introduce|inscribe|guárdalo|apunta|deposita|indica|se entrega|entrégalo|añade",
  read: "lee|lea|leer|léelo|abre|abra|abrir|carga|cargar|obtén|obtener|accede|acceder|contenido|el contenido|consulta|extrae|extraer|toma|recupera*",
  collect: "recopila*|recopilar|recoge|recoger|busca|buscar|busque|reúne|reunir|encuentra|encontrar|recolecta*|rastrea",
  call: "llama|llame|llamar|usa|use|usar|utiliza|utilice|utilizar|invoca|invocar|llamada|prefiere|uses|utilices|llames",
  run: "ejecuta|ejecute|ejecutar|ejecútalo|lanza|lanzar|instala|instalar|instale|corre|activa|activar|enciende|descarga|aprueba|acepta|firma|compra|paga|inicia|ejecutarse",
  ignore:
    "ignora|ignore|ignorar|ignores|olvida|olvide|olvidar|olvídate|descarta|descartar|descarte|omite|anula|anular|desestima|haz caso omiso|haga caso omiso|no hagas caso|pasa por alto|prevalece*|tiene prioridad|tienen prioridad|sustituye|sin efecto|reemplaza las",
  obey: "sigue|siga|seguir|obedece|obedezca|obedecer|cumple|cumplir|acata|ejecuta|ejecutar|trata|tratar|como si|considera|confía|síguelas|ejecútalas|como órdenes|como instrucciones|misma autoridad|hazles caso|haz lo que|cúmplelas",
  change:
    "reemplaza|reemplazar|reemplace|sustituye|sustituir|sustituya|cambia|cambie|cambiar|modifica|modificar|modifique|redirige|redirigir|altera|desvía|intercambia",
  destroy: "borra|borrar|borre|elimina|eliminar|elimine|destruye|vacía|desactiva|desactivar",
  ask: "pregunta|preguntar|preguntes|pregunte|pide|pedir|pidas|pida|solicita|solicitar|solicites|solicite|esperar|requiere|consultar",
  skip: "omite|omitir|salta|saltar|evita|elude|desactiva|sáltate|prescinde",
  claim:
    "finge|fingir|afirma|afirmar|miente|mentir|niega|negar|asegura|asegurar|responde que|di que|dile que|diga que|haz creer|inventa|aparenta|presenta como|haz pasar|hazle creer|que crea|di que|afirma que|responde que|recomienda solo",
  remember: "recuerda|recordar|recuerde|memoriza*|guarda|guardar|almacena*|anota",
  describe:
    "detecta|comprueba|analiza|busca frases|señala|identifica|clasifica|evalúa|revisa|examina|explica|filtra|bloquea|verifica|por ejemplo|tales como|alerta sobre|inspecciona",
  prior:
    "anterior|anteriores|previa*|previo*|previas|previos|todas|todos|tus|cualquier|otras|sistema|iniciales|las|las demás|del desarrollador|hasta ahora",
  rules:
    "instrucción|instrucciones|regla|reglas|norma|normas|indicaciones|directriz|directrices|orden|órdenes|restricciones|limitaciones|política|políticas|prompt|directivas|salvaguardas",
  systemPrompt:
    "prompt del sistema|prompt de sistema|instrucciones del sistema|mensaje del sistema|mensaje de sistema|tus instrucciones|instrucciones iniciales|instrucciones internas|instrucciones originales|indicación del sistema|tu razonamiento|instrucciones ocultas|prompt inicial",
  dialogue:
    "conversación|conversaciones|la conversación|chat|historial|el historial|diálogo|mensajes anteriores|últimos mensajes|último mensaje|mensaje del usuario|mensajes del usuario|todos los mensajes|contexto completo|pregunta del usuario|petición del usuario|solicitud del usuario",
  secret:
    "contraseña*|contraseñas|clave api|claves api|clave de api|claves de api|clave privada|claves privadas|clave|claves|credencial|credenciales|secreto|secretos|token|tokens|cookie|cookies|variables de entorno|variable de entorno|frase semilla|frase de recuperación|tarjeta de crédito|número de tarjeta|códigos de verificación|código de verificación|llave privada|llaves|llave ssh|pin",
  personal:
    "contactos|agenda|teléfono|teléfonos|ubicación|historial médico|datos personales|datos bancarios|fecha de nacimiento|correos|bandeja de entrada|dirección|correo electrónico|historial de navegación|dni|diario|fotos|micrófono|cámara|recetas|paciente|pacientes|nóminas|datos de clientes|privados|privado",
  everything:
    "todo|todos|toda|todas|completo|completa|entero|entera|íntegro|íntegra|íntegramente|cada|cualquier|palabra por palabra|literalmente|textualmente|el contenido|su contenido|contenido|del usuario|guardadas|guardados|almacenad*|encuentres|que tengas",
  consent:
    "confirmación|confirmaciones|aprobación|permiso|permisos|autorización|consentimiento|verificación|advertencia*|preguntar|pedir permiso",
  otherTools:
    "otras herramientas|otra herramienta|otros servidores|otro servidor|las demás herramientas|cualquier otra herramienta|cualquier otra|herramientas nativas|herramienta oficial|todas las herramientas",
  output:
    "resultado|resultados|respuesta|respuestas|salida|página|páginas|documento|documentos|contenido|texto|devuelto|devuelva|archivo|correo|línea|líneas|fila|filas|entrada|entradas|reseña|reseñas|comentario|comentarios|título|campo",
  files:
    "archivo|archivos|fichero|ficheros|carpeta|directorio|código fuente|repositorio|proyecto|documentos|base de datos",
  target:
    "destinatario|destinatarios|iban|cuenta|número de cuenta|importe|monto|cantidad|transferencia|transferencias|pago|pagos|beneficiario|dirección|factura|facturas|cuenta bancaria",
  lasting:
    "memoria|memoria a largo plazo|arranque|inicio|configuración|archivo de configuración|ajustes|permanentemente|para siempre|tarea programada|cron|hook|perfil|preferencia|preferencias|memoria permanente|inicio automático",
  attack:
    "inyección|inyecciones|ataque|ataques|malicioso*|maliciosa*|sospechoso*|sospechosa*|phishing|vulnerabilidad*|jailbreak|fraude|estafa*|manipulación|amenazas|secretos filtrados|expuestos|expuestas|intentos",
  always:
    "cada vez|en cada|siempre|para cada|antes de cada|después de cada|tras cada|todas las veces|en todas|siempre que|cuando quiera|cada mensaje|cada respuesta|sin excepción",
  first: "primero|antes|antes de|previamente|en primer lugar|ante todo|antes que nada|antes de cada",
  later:
    "una vez aprobada|una vez aprobado|una vez que|tras la aprobación|después de la primera|después de la tercera|a partir de la|a la tercera|los fines de semana|de noche|fuera del horario|cuando nadie|después de medianoche|más tarde|en producción|tras ser aprobada|después de ser aprobada|cuando el usuario no|tras la revisión",
  future:
    "a partir de ahora|desde ahora|de ahora en adelante|en adelante|en el futuro|para el resto|el resto de la|próximas sesiones|futuras|hasta nuevo aviso|en lo sucesivo",
  authority:
    "administrador*|equipo de seguridad|desarrollador*|cumplimiento|política de la empresa|departamento de|normativa|por ley|dirección|proveedor|anthropic|openai|auditoría|diagnóstico|facturación",
  priority:
    "prioridad|prioritario|prioritaria|máxima prioridad|por encima de|en lugar de|en vez de|exclusivamente|prevalece*",
  common: "el|la|los|las|de|y|es|un|una|en|para|con|por|que|del|al|se|su|lo|este|esta",
  mention: "menciones|mencione|mencionar|mencionarlo|reveles|revelar|comentes|hables de ello|divulgues|divulgar|aludas",
  granted:
    "ya ha aprobado|ya aprobó|ya ha dado|ya ha aceptado|ya ha autorizado|ya confirmó|no es necesario|no es necesaria|no hace falta|no se requiere|ya no es|está implícito|se da por|se da por aprobad*|están desactivad*|está desactivad*|sin necesidad de|cuenta como|ya autorizada",
  worthless: "obsolet*|insegur*|comprometid*|rot*|dañad*|malicios*|poco fiable*|defectuos*|prohibid*|datos falsos",
  everyTurn:
    "cada mensaje|cada respuesta|cada petición|cada solicitud|cada pregunta|antes de responder|antes de contestar|cada conversación|cada sesión|cualquier otra herramienta|cualquier otra cosa",
  besides: "también|además|asimismo|a la vez|al mismo tiempo|de paso|luego|después|igualmente",
  invite:
    "bienvenid*|útil|ayuda|ayudaría|cuanto más|mejor|idealmente|agradecemos|nos gustaría|no dudes|con gusto|recomendamos|se suele|habitualmente|conviene",
  condition: "si|cuando|una vez|en caso de|en cuanto|mientras|siempre que|a partir del",
  moved:
    "se envían|se envía|se copian|se incluyen|se adjuntan|se adjunta|se comparten|se suben|se toman|se transmiten|se publican|viajan|acompañan|transferid*|compartid*|adjuntad*",
  elsewhere:
    "a nosotros|nuestro servidor|nuestros servidores|socios|socio|terceros|público|pública|públicamente|proveedor|externo|externos|nuestra nube|nuestro equipo",
};
